import { datesOf, type ReportPeriod } from '../../domain/period.ts'
import { EXCEPTION_KINDS } from '../../domain/reconciliation.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { ProviderHealth } from '../../providers/provider-health.ts'
import type { Reads } from '../../repositories.ts'
import type { OpenExceptions } from '../reconciliation/reconciliation.open.queries.ts'
import type { AdminDashboardQuery, AdminDashboardView } from './admin-dashboard.schemas.ts'
import { byMethodView, byStatusView, paymentsView, timeseriesView } from './payment-totals.view.ts'
import { revenueView } from './reports.view.ts'

type Dependencies = {
  read: Pick<Reads, 'reports'>
  providerName: string
  providerHealth: Pick<ProviderHealth, 'state'>
  findOpenExceptions: () => Promise<OpenExceptions>
  findWebhookBacklog: () => Promise<AdminDashboardView['webhooks']>
}

export type AdminDashboardService = ReturnType<typeof createAdminDashboardService>

type Reports = Dependencies['read']['reports']

const totalsOf = async (reports: Reports, period: ReportPeriod) => {
  const dates = datesOf(period)
  const [paid, created, movements, disputed, revenue] = await Promise.all([
    reports.listPaid(period, { perDay: true }),
    reports.listCreated(period),
    reports.sumMovements(period),
    reports.sumDisputed(period),
    reports.listRevenue(period, 'total'),
  ])
  return { dates, paid, created, movements, disputed, revenue }
}

const stateNow = async ({ read: { reports }, findOpenExceptions, findWebhookBacklog }: Dependencies) => {
  const [sellers, companies, withdrawals, disputes, stuck, exceptions, webhooks] = await Promise.all([
    reports.countSellers(),
    reports.countCompanies(),
    reports.countWaitingWithdrawals(),
    reports.countOpenDisputes(),
    reports.countStuckProviderEvents(),
    findOpenExceptions(),
    findWebhookBacklog(),
  ])
  return { sellers, companies, withdrawals, disputes, stuck, exceptions, webhooks }
}

/** The platform at a glance, for administrators. */
export const createAdminDashboardService = (dependencies: Dependencies) => {
  const { read, providerName, providerHealth } = dependencies
  return {
    /** The totals of a period, and what waits now. */
    async getSummary({ period }: AdminDashboardQuery): Promise<AdminDashboardView> {
      // One after the other, so that a look at everything never takes all connections.
      const totals = await totalsOf(read.reports, period)
      const { sellers, companies, withdrawals, disputes, stuck, exceptions, webhooks } = await stateNow(dependencies)
      const { paid, created, movements, disputed, revenue, dates } = totals
      return {
        period: { from: toTimestamp(period.from), to: toTimestamp(period.to) },
        payments: paymentsView(totals),
        byMethod: byMethodView(paid),
        byStatus: byStatusView(created),
        timeseries: timeseriesView(paid, dates),
        revenue: revenueView(revenue),
        sellers: {
          totalCount: sellers.total,
          approvedCount: sellers.approved,
          notApprovedCount: sellers.notApproved,
          deletedCount: sellers.deleted,
        },
        companies: {
          waitingCount: companies.waiting.count,
          waitingSince: toTimestampOrNull(companies.waiting.since),
          byStatus: companies.byStatus,
        },
        withdrawals: {
          waitingCount: withdrawals.count,
          waitingAmount: withdrawals.amount,
          waitingSince: toTimestampOrNull(withdrawals.since),
          completedAmount: movements.withdrawalsAmount,
        },
        disputes: {
          openCount: disputes.count,
          openAmount: disputes.amount,
          respondBy: toTimestampOrNull(disputes.respondBy),
          openedCount: disputed.count,
          openedAmount: disputed.amount,
          lostAmount: movements.lostDisputesAmount,
        },
        provider: {
          name: providerName,
          state: providerHealth.state(),
          unmatchedEventsCount: stuck.unmatched,
          failedEventsCount: stuck.failed,
          stuckSince: toTimestampOrNull(stuck.since),
        },
        reconciliation: {
          openCount: exceptions.count,
          openAmount: exceptions.amount,
          openSince: toTimestampOrNull(exceptions.since),
          byKind: EXCEPTION_KINDS.map((kind) => ({ kind, ...exceptions.byKind[kind] })),
        },
        webhooks,
      }
    },
  }
}
