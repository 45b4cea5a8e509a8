import { add, type Centavos, meanOf, shareOf } from '../../domain/money.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment.ts'
import type { CreatedRow, PaidRow } from './payment-totals.queries.ts'
import type { MovementTotals } from './revenue.queries.ts'

const PAID_STATUSES: ReadonlySet<PaymentStatus> = new Set([
  'paid',
  'partially_refunded',
  'refunded',
  'in_dispute',
  'charged_back',
])

type Summed = { count: number; paidAmount: Centavos; feeAmount: Centavos; netAmount: Centavos }

/** Adds rows up. */
export const summed = (rows: readonly Summed[]): Summed => ({
  count: rows.reduce((total, { count }) => total + count, 0),
  paidAmount: add(...rows.map(({ paidAmount }) => paidAmount)),
  feeAmount: add(...rows.map(({ feeAmount }) => feeAmount)),
  netAmount: add(...rows.map(({ netAmount }) => netAmount)),
})

const countOf = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)

type PaymentTotals = {
  paid: readonly PaidRow[]
  created: readonly CreatedRow[]
  movements: MovementTotals
  disputed: { amount: Centavos }
}

/** A period's payments: of a seller, or of the platform. */
export const paymentsView = ({ paid, created, movements, disputed }: PaymentTotals) => {
  const { count: paidCount, paidAmount } = summed(paid)
  const createdCount = countOf(created)
  return {
    createdCount,
    paidCount,
    paidAmount,
    averageTicketAmount: meanOf(paidAmount, paidCount),
    conversionPercentage: shareOf(countOf(created.filter(({ status }) => PAID_STATUSES.has(status))), createdCount),
    refundedAmount: movements.refundsAmount,
    disputedAmount: disputed.amount,
  }
}

/** What was paid by method, also by those that were not used. */
export const byMethodView = (paid: readonly PaidRow[]) =>
  PAYMENT_METHODS.map((method) => {
    const { count, paidAmount } = summed(paid.filter((row) => row.method === method))
    return { method, count, amount: paidAmount }
  })

/** What was created by what it is now, also statuses that nothing has. */
export const byStatusView = (created: readonly CreatedRow[]) =>
  PAYMENT_STATUSES.map((status) => {
    const row = created.find((candidate) => candidate.status === status)
    return { status, count: row?.count ?? 0, amount: row?.amount ?? add() }
  })

/** What was paid on each of the dates. */
export const timeseriesView = (paid: readonly PaidRow[], dates: readonly string[]) => {
  const byDate = Map.groupBy(paid, ({ date }) => date)
  return dates.map((date) => {
    const { count, paidAmount, netAmount } = summed(byDate.get(date) ?? [])
    return { date, paidCount: count, paidAmount, netAmount }
  })
}
