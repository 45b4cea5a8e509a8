import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { datesOf, monthsOf, type ReportPeriod } from '../../domain/period.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Reads } from '../../repositories.ts'
import type { PaidRow } from './payment-totals.queries.ts'
import { summed } from './payment-totals.view.ts'
import type { BillingQuery, BillingView, RevenueQuery, TransactionsTotalQuery } from './reports.schemas.ts'
import { billingView, revenueView } from './reports.view.ts'
import { OTHER } from './revenue.groups.ts'
import type { RevenueRow } from './revenue.queries.ts'

type Dependencies = { read: Pick<Reads, 'reports' | 'users'>; clock: Clock }

export type ReportsService = ReturnType<typeof createReportsService>

const EXPORT_BATCH_SIZE = 500

const periodView = ({ from, to }: ReportPeriod) => ({ from: toTimestamp(from), to: toTimestamp(to) })

const totalsOf = (rows: readonly PaidRow[]) => {
  const { count, paidAmount, feeAmount, netAmount } = summed(rows)
  return { count, grossAmount: paidAmount, feeAmount, netAmount }
}

const startOfMonth = (month: string): Date => startOfSaoPauloDay(`${month}-01`)

const monthAfter = (month: string): string => addDays(`${month}-01`, 31).slice(0, 'YYYY-MM'.length)

// Days, months and methods are known beforehand, and shown in their order also where nothing happened.
const keysOf = (groupBy: Exclude<RevenueQuery['groupBy'], 'seller' | 'provider'>, period: ReportPeriod): string[] => {
  if (groupBy === 'method') return [...PAYMENT_METHODS, OTHER]
  return groupBy === 'day' ? datesOf(period) : monthsOf(period)
}

/** Reports of the whole platform, for administrators. */
export const createReportsService = ({ read, clock }: Dependencies) => {
  const sellerItems = async (rows: readonly RevenueRow[]) => {
    const sellers = await read.users.listByIds(rows.map(({ key }) => key).filter((key) => key !== OTHER))
    const names = new Map(sellers.map(({ id, name }) => [id, name]))
    const inOrder = rows.toSorted((a, b) => Number(a.key === OTHER) - Number(b.key === OTHER))
    return inOrder.map((row) => ({ key: row.key, name: names.get(row.key) ?? null, ...revenueView([row]) }))
  }

  const itemsOf = (groupBy: RevenueQuery['groupBy'], period: ReportPeriod, rows: readonly RevenueRow[]) => {
    if (groupBy === 'seller') return sellerItems(rows)
    if (groupBy === 'provider') return rows.map((row) => ({ key: row.key, name: null, ...revenueView([row]) }))
    const byKey = Map.groupBy(rows, ({ key }) => key)
    return keysOf(groupBy, period).map((key) => ({ key, name: null, ...revenueView(byKey.get(key) ?? []) }))
  }

  const billingOf = (query: BillingQuery) => {
    const month = query.month ?? saoPauloDate(clock.now()).slice(0, 'YYYY-MM'.length)
    const scope = { from: startOfMonth(month), to: startOfMonth(monthAfter(month)), sellerId: query.sellerId }
    return { month, scope }
  }

  return {
    /** What sellers were paid in a period. */
    async getTransactionsTotal({ period, sellerId }: TransactionsTotalQuery) {
      const paid = await read.reports.listPaid({ ...period, sellerId })
      const statuses = new Set(paid.map(({ status }) => status))
      return {
        period: periodView(period),
        ...totalsOf(paid),
        byMethod: PAYMENT_METHODS.map((method) => ({
          method,
          ...totalsOf(paid.filter((row) => row.method === method)),
        })),
        byStatus: PAYMENT_STATUSES.filter((status) => statuses.has(status)).map((status) => ({
          status,
          ...totalsOf(paid.filter((row) => row.status === status)),
        })),
      }
    },

    /** Volume and revenue of a period, in groups that sum to it. */
    async getRevenue({ period, sellerId, groupBy }: RevenueQuery) {
      const rows = await read.reports.listRevenue({ ...period, sellerId }, groupBy)
      return { period: periodView(period), ...revenueView(rows), items: await itemsOf(groupBy, period, rows) }
    },

    /** A page of the sellers who have something to bill in a month, newest sellers first unless asked otherwise. */
    async listBilling(query: BillingQuery) {
      const { month, scope } = billingOf(query)
      return toListResponse(await read.reports.listBilling(scope, query.page), query.page, (row) =>
        billingView(month, row),
      )
    },

    /** All of them, in batches. */
    async *exportBilling(query: BillingQuery): AsyncGenerator<BillingView[]> {
      const { month, scope } = billingOf(query)
      for (let after: string | undefined; ; ) {
        const rows = await read.reports.listBillingAfter(scope, { after, sort: query.page.sort }, EXPORT_BATCH_SIZE)
        if (rows.length > 0) yield rows.map((row) => billingView(month, row))
        if (rows.length < EXPORT_BATCH_SIZE) return
        after = rows.at(-1)?.seller.id
      }
    },
  }
}
