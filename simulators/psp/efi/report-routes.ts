import { z } from 'zod'
import { isCalendarDate } from '../../../src/domain/calendar.ts'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { RECORD_FLAGS, statementCsv } from '../statement.ts'
import { efiOperation } from './operations.ts'
import { getReport, isReady, reportView, requestReport } from './reports.ts'

const flags = Object.fromEntries(Object.keys(RECORD_FLAGS).map((name) => [name, z.boolean().optional()])) as Record<
  keyof typeof RECORD_FLAGS,
  z.ZodOptional<z.ZodBoolean>
>

const reportBody = z.strictObject({
  dataMovimento: z.string().refine(isCalendarDate, 'não é uma data no formato YYYY-MM-DD'),
  tipoRegistros: z.strictObject(flags),
})

/** Efí's reconciliation statement: asked for by `POST …/extrato-conciliacao`, fetched by `GET /v2/gn/relatorios/{id}`. */
export const reportRoutes = (app: ApiServer, bank: Bank): void => {
  const type = 'ExtratoConciliacaoConsultaInvalida'

  app.post(
    '/v2/gn/relatorios/extrato-conciliacao',
    { config: efiOperation('relatorios.post', 'gn.reports.write', type, 'body'), schema: { body: reportBody } },
    async (request, reply) => {
      const { dataMovimento, tipoRegistros } = request.body
      const kinds = Object.entries(RECORD_FLAGS).flatMap(([name, kind]) =>
        tipoRegistros[name as keyof typeof RECORD_FLAGS] ? [kind] : [],
      )
      reply.code(202)
      return reportView(bank, requestReport(bank, merchantOf(request).id, dataMovimento, kinds))
    },
  )

  app.get(
    '/v2/gn/relatorios/:id',
    {
      config: efiOperation('relatorios.get', 'gn.reports.read', type, 'relatorio'),
      schema: { params: z.object({ id: z.string().max(60) }) },
    },
    async (request, reply) => {
      const { id } = merchantOf(request)
      const report = getReport(bank, id, request.params.id)
      if (!isReady(bank, report)) return reply.code(202).send(reportView(bank, report))
      const csv = statementCsv(bank, id, report.date, new Set(report.kinds.split(' ')))
      return reply.type('text/csv; charset=utf-8').send(csv)
    },
  )
}
