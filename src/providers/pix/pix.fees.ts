import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalDate } from '../../domain/calendar.ts'
import type { Centavos } from '../../domain/money.ts'
import type { Reports } from './api/efi/reports.ts'
import { amountSchema } from './api/forms/amounts.ts'
import { StatementUnread } from './pix.outcomes.ts'

/** What the PSP kept of each Pix that it tells a fee of, by end-to-end id. */
export type PixFees = ReadonlyMap<string, Centavos>

/** A hundred megabytes of them. Of what comes after that, the fee is not known. */
const FEES_MAX = 1_000_000
/** Efí makes a statement in seconds. What takes longer is fetched by the next run, which is answered the same one. */
const TRIES_MAX = 10
const TRY_AGAIN_MS = 3_000

const KINDS = ['tarifaPixRecebido', 'tarifaPixEnviado'] as const
const FEE_RECORDS: readonly string[] = ['TPR', 'TPE']

/** Reads the records of fees from a statement: `TPR;12;E0903…;0.01;2026-11-20T12:00:00.000Z`. */
const readFees = async (csv: Readable, fees: Map<string, Centavos>): Promise<void> => {
  for await (const line of createInterface({ input: csv, crlfDelay: Number.POSITIVE_INFINITY })) {
    const [record = '', , endToEndId, text] = line.split(';')
    if (!FEE_RECORDS.includes(record) || !endToEndId || fees.size >= FEES_MAX) continue
    const amount = amountSchema.safeParse(text)
    if (amount.success) fees.set(endToEndId, amount.data)
  }
}

const fetchReport = async (reports: Reports, id: string): Promise<Readable> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const report = await reports.fetch(id, { isBackground: true })
    if (report.kind !== 'ok') throw new StatementUnread(report)
    if (report.value !== null) return report.value
    await sleep(TRY_AGAIN_MS)
  }
  throw new StatementUnread({ kind: 'unavailable', reason: 'the report is still being made' })
}

/**
 * What Efí's reconciliation statement says that it took on a day that is over. Nothing where the account may not read
 * statements. Throws StatementUnread where it may, and there is none yet.
 */
export const feesOfDay = async (reports: Reports, date: LocalDate, fees: Map<string, Centavos>): Promise<void> => {
  const report = await reports.request(date, KINDS, { isBackground: true })
  if (report.kind === 'refused' || report.kind === 'missing') return
  if (report.kind !== 'ok') throw new StatementUnread(report)
  await readFees(await fetchReport(reports, report.value.id), fees)
}
