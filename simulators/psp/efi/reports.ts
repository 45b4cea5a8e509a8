import { randomUUID } from 'node:crypto'
import { addDays, type LocalDate, saoPauloDate } from '../../../src/domain/calendar.ts'
import type { Bank } from '../bank.ts'
import { isoOf } from '../clock.ts'
import { Problem } from '../http/problems.ts'

/** A reconciliation statement that a merchant has asked for. */
export type Report = {
  id: string
  merchant_id: string
  date: LocalDate
  kinds: string
  requested_at: number
  ready_at: number
}

const badDate = (): Problem =>
  new Problem('ExtratoConciliacaoConsultaInvalida', {
    status: 400,
    title: 'Consulta inválida',
    detail: 'A data do extrato de conciliação deve ser anterior à data corrente',
  })

/** Asks for a day's statement; for the same one again, the first is answered. Throws on a day that is not over. */
export const requestReport = (bank: Bank, merchantId: string, date: LocalDate, kinds: readonly string[]): Report => {
  const now = bank.clock.now()
  if (date > addDays(saoPauloDate(new Date(now)), -1)) throw badDate()
  const list = kinds.toSorted().join(' ')
  bank.store.run(
    'INSERT OR IGNORE INTO reports (id, merchant_id, date, kinds, requested_at, ready_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[randomUUID(), merchantId, date, list, now, now + bank.settings.get().reportsAfterMs],
  )
  const sql = 'SELECT * FROM reports WHERE merchant_id = ? AND date = ? AND kinds = ?'
  const report = bank.store.one<Report>(sql, merchantId, date, list)
  if (report === undefined) throw new RangeError(`no report of ${date}`)
  return report
}

export const getReport = ({ store }: Bank, merchantId: string, id: string): Report => {
  const report = store.one<Report>('SELECT * FROM reports WHERE id = ? AND merchant_id = ?', id, merchantId)
  if (report !== undefined) return report
  const detail = 'Recurso não encontrado ou não pertence à conta autenticada'
  throw new Problem('NaoEncontrado', { status: 404, title: 'Não encontrado', detail })
}

export const isReady = ({ clock }: Bank, { ready_at }: Report): boolean => clock.now() >= ready_at

export const reportView = (bank: Bank, report: Report): Record<string, unknown> => ({
  id: report.id,
  dataSolicitacao: isoOf(report.requested_at),
  status: isReady(bank, report) ? 'CONCLUIDO' : 'AGUARDANDO_PROCESSAMENTO',
})
