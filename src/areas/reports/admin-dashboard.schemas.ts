import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { COMPANY_STATUSES } from '../../domain/company.ts'
import { REPORT_DAYS_MAX } from '../../domain/period.ts'
import { EXCEPTION_KINDS } from '../../domain/reconciliation.ts'
import { reportPeriodResponse, reportQuery } from '../../http/period.schemas.ts'
import { timestampView } from '../../http/primitives.schemas.ts'
import {
  byMethodTotals,
  byStatusTotals,
  countView,
  money,
  paymentTotals,
  timeseries,
} from './payment-totals.schemas.ts'

export const adminDashboardQuery = (clock: Clock) => reportQuery(clock, {})

import { revenueTotals, told } from './reports.schemas.ts'

const since = (description: string) => timestampView.nullable().meta({ description })

export const adminDashboardResponse = z
  .object({
    period: reportPeriodResponse,
    payments: paymentTotals,
    byMethod: byMethodTotals,
    byStatus: byStatusTotals,
    timeseries: timeseries,
    revenue: revenueTotals,
    sellers: z
      .object({
        totalCount: countView('Sellers who ever registered.', 40),
        approvedCount: countView('Those who may sell now.', 30),
        notApprovedCount: countView('Those who may not yet, or no longer.', 8),
        deletedCount: countView('Those who deleted their account.', 2),
      })
      .meta({ description: 'Sellers now, by state.' }),
    companies: z
      .object({
        waitingCount: countView('Companies that await approval.', 2),
        waitingSince: since('Since when the first of them does. Null: none does.'),
        byStatus: z
          .array(
            z
              .object({
                status: z.enum(COMPANY_STATUSES).meta({ description: 'Status.', examples: ['approved'] }),
                count: countView('Companies of this status.'),
              })
              .meta({ description: 'The companies of one status.' }),
          )
          .max(COMPANY_STATUSES.length)
          .meta({ description: 'All companies now, by status.' }),
      })
      .meta({ description: 'Companies now.' }),
    withdrawals: z
      .object({
        waitingCount: countView('Withdrawals that wait for a decision now.', 3),
        waitingAmount: money('What they come to, fees included, in centavos.', 75_000),
        waitingSince: since('Since when the first of them does. Null: none does.'),
        completedAmount: money(
          'Withdrawals completed in the period, fees included, less those that banks returned in it, in centavos.',
          100_000,
        ),
      })
      .meta({ description: 'Withdrawals now, and those of the period.' }),
    disputes: z
      .object({
        openCount: countView('Disputes without an outcome now.', 1),
        openAmount: money('What they are about, in centavos.', 10_000),
        respondBy: since('First date by which one must be answered. Null: none must.'),
        openedCount: countView('Disputes opened in the period.', 1),
        openedAmount: money('What those are about, in centavos.', 10_000),
        lostAmount: money('Returned to payers by disputes lost in the period, in centavos.', 0),
      })
      .meta({ description: 'Disputes now, and those of the period.' }),
    provider: z
      .object({
        name: told(500, 'The payment provider.', 'sandbox'),
        state: z.enum(['ok', 'degraded', 'down']).meta({
          description: 'degraded: a call of the process that answers failed in the last minute.',
          examples: ['ok'],
        }),
        unmatchedEventsCount: countView('Callbacks about nothing that the platform knows.', 0),
        failedEventsCount: countView('Callbacks that could not be processed.', 0),
        stuckSince: since('When the first of both came in. Null: there are none.'),
      })
      .meta({ description: 'The payment provider now.' }),
    reconciliation: z
      .object({
        openCount: countView('Differences with providers that nobody has resolved.', 1),
        openAmount: money('How much these differ by, added up, in centavos.', 10_000),
        openSince: since('When the oldest of them was found. Null: none is open.'),
        byKind: z
          .array(
            z
              .object({
                kind: z.enum(EXCEPTION_KINDS).meta({ description: 'Kind.', examples: ['missing_here'] }),
                count: countView('Open exceptions of this kind.', 1),
                amount: money('How much these differ by, in centavos.', 10_000),
              })
              .meta({ description: 'The open exceptions of one kind.' }),
          )
          .max(EXCEPTION_KINDS.length)
          .meta({ description: 'Those that are open now, by kind.' }),
      })
      .meta({ description: 'What providers and the books do not agree on now.' }),
    webhooks: z
      .object({
        pendingCount: countView('Deliveries that wait. Counting stops at 100,000.', 0),
        oldestDueSeconds: z
          .number()
          .min(0)
          .meta({ description: 'How late the oldest due delivery is, in seconds.', examples: [0] }),
        fanOutLagSeconds: z
          .number()
          .min(0)
          .meta({ description: 'Age of the oldest event that has no deliveries yet, in seconds.', examples: [0] }),
        breakersOpenCount: countView('Endpoints that are left alone for a while after failures.', 0),
        disabledCount: countView('Endpoints that were disabled after failing for long.', 0),
      })
      .meta({ description: 'Webhooks now, over all sellers.' }),
  })
  .meta({ title: 'AdminDashboard', description: `The platform in figures, of at most ${REPORT_DAYS_MAX} days.` })

export type AdminDashboardQuery = z.output<ReturnType<typeof adminDashboardQuery>>
export type AdminDashboardView = z.output<typeof adminDashboardResponse>
