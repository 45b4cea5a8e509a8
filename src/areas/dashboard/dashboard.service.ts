import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { toTimestamp } from '../../http/primitives.schemas.ts'
import { datesOf, reportPeriodOf } from '../../http/report-period.ts'
import type { Reads } from '../../repositories.ts'
import type { BalanceService } from '../balance/balance.service.ts'
import { byMethodView, byStatusView, paymentsView, timeseriesView } from '../reports/payment-figures.view.ts'
import type { DashboardQuery, DashboardView } from './dashboard.schemas.ts'

type Dependencies = { read: Pick<Reads, 'reports'>; clock: Clock; balance: BalanceService }

export type DashboardService = ReturnType<typeof createDashboardService>

export const createDashboardService = ({ read, clock, balance: balances }: Dependencies) => ({
  /** The seller's figures of a period. Throws validation.failed for a period that cannot be. */
  async getSummary(actor: Actor, query: DashboardQuery): Promise<DashboardView> {
    const period = reportPeriodOf(query, clock.now())
    const scope = { ...period, sellerId: actor.userId }
    const dates = datesOf(period)
    const [balance, paid, created, movements, disputed] = await Promise.all([
      balances.get(actor),
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
  },
})
