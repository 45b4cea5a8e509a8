/** Efí's reconciliation statement: asked for by day, made later, and fetched as CSV of any size. */
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { LocalDate } from '../../../../domain/calendar.ts'
import type { Call, CallOptions, Download } from '../calls/call.ts'
import { pathPart } from '../forms/identifiers.ts'
import { type Outcome, ok } from '../outcome.ts'

/** What a statement may hold, by Efí's names for it. */
export const RECORD_KINDS = [
  'pixRecebido',
  'pixEnviadoChave',
  'pixEnviadoDadosBancarios',
  'estornoPixEnviado',
  'pixDevolucaoEnviada',
  'pixDevolucaoRecebida',
  'tarifaPixEnviado',
  'tarifaPixRecebido',
  'estornoTarifaPixEnviado',
  'estornoTarifaPixRecebido',
  'saldoDiaAnterior',
  'saldoDia',
  'transferenciaEnviada',
  'transferenciaRecebida',
  'estornoTransferenciaEnviada',
  'tarifaTransferenciaEnviada',
  'estornoTarifaTransferenciaEnviada',
] as const

export type RecordKind = (typeof RECORD_KINDS)[number]

const reportSchema = z
  .object({ id: z.string().regex(/^[a-zA-Z0-9-]{1,64}$/), status: z.string().max(60) })
  .transform(({ id, status }) => ({ id, isReady: status === 'CONCLUIDO' }))

/** A statement that was asked for. */
export type Report = z.infer<typeof reportSchema>

/** A download takes longer than a call: it is counted until its first byte. */
const DOWNLOAD_DEADLINE_MS = 60_000

export type Reports = ReturnType<typeof createReports>

export const createReports = (call: Call, download: Download) => ({
  /** Asks for a day that is over, in São Paulo. The same again answers the same statement. */
  request: (
    date: LocalDate,
    kinds: readonly RecordKind[] = RECORD_KINDS,
    options?: CallOptions,
  ): Promise<Outcome<Report>> =>
    call(
      {
        ...{ name: 'gn.relatorios.post', capability: 'reports', method: 'POST' },
        path: '/v2/gn/relatorios/extrato-conciliacao',
        body: { dataMovimento: date, tipoRegistros: Object.fromEntries(kinds.map((kind) => [kind, true])) },
        isRepeatable: true,
        answer: reportSchema,
      },
      options,
    ),

  /**
   * The statement as it arrives; null while it is still being made. It holds a connection until it was read to its end
   * or destroyed, and it names payers: none of it is for a log.
   */
  fetch: async (id: string, options: CallOptions = {}): Promise<Outcome<Readable | null>> => {
    const result = await download(
      {
        ...{ name: 'gn.relatorios.get', capability: 'reports', method: 'GET' },
        path: `/v2/gn/relatorios/${pathPart('reportId', id)}`,
        isRepeatable: true,
      },
      { deadlineMs: DOWNLOAD_DEADLINE_MS, ...options },
    )
    return result.kind === 'ok' ? ok(result.value ?? null) : result
  },
})
