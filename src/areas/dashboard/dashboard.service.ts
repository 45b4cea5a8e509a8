import type { Actor } from '../../domain/actor.ts'
import { datesOf, type ReportPeriod } from '../../domain/period.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Reads } from '../../repositories.ts'
import type { BalanceService } from '../balance/balance.service.ts'
import { byMethodView, byStatusView, paymentsView, timeseriesView } from '../reports/payment-totals.view.ts'
import type { DashboardQuery, DashboardView } from './dashboard.schemas.ts'

type Dependencies = { read: Pick<Reads, 'reports'>; balance: BalanceService }

export type DashboardService = ReturnType<typeof createDashboardService>

export const createDashboardService = ({ read, balance: balances }: Dependencies) => {
  const getSummaryOf = async (sellerId: string, period: ReportPeriod): Promise<DashboardView> => {
    const scope = { ...period, sellerId }
    const dates = datesOf(period)
    const [balance, paid, created, movements, disputed] = await Promise.all([
      balances.getOf(sellerId),
      read.reports.listPaid(scope, { perDay: true }),
      read.reports.listCreated(scope),
      read.reports.sumMovements(scope),
      read.reports.sumDisputed(scope),
    ])
    return {
      period: { from: toTimestamp(period.from), to: toTimestamp(period.to) },
      balance,
      payments: paymentsView({ paid, created, movements, disputed }),
      byMethod: byMethodView(paid),
      byStatus: byStatusView(created),
      timeseries: timeseriesView(paid, dates),
      // What a withdrawal set aside stays in this bucket until it has arrived, or comes back.
      withdrawals: { pendingAmount: balance.withdrawingAmount, completedAmount: movements.withdrawalsAmount },
    }
  }

  return {
    /** A seller's payments, withdrawals and balance in a period. */
    getSummaryOf,

    /** The same of one's own account. */
    getSummary: ({ sellerId }: Actor, { period }: DashboardQuery): Promise<DashboardView> =>
      getSummaryOf(sellerId, period),
  }
}
