import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { reportPeriodResponse, reportQuery } from '../../http/period.schemas.ts'
import { balanceResponse } from '../balance/balance.schemas.ts'
import { byMethodTotals, byStatusTotals, money, paymentTotals, timeseries } from '../reports/payment-totals.schemas.ts'

export const dashboardQuery = (clock: Clock) => reportQuery(clock, {})

export const dashboardResponse = z
  .object({
    period: reportPeriodResponse,
    balance: balanceResponse.meta({ description: 'What the seller has now, whatever the period.' }),
    payments: paymentTotals,
    byMethod: byMethodTotals,
    byStatus: byStatusTotals,
    timeseries: timeseries,
    withdrawals: z
      .object({
        pendingAmount: money('Withdrawals on their way now, fees included, in centavos, whatever the period.', 50_000),
        completedAmount: money(
          'Withdrawals completed in the period, fees included, less those that banks returned in it, in centavos.',
          100_000,
        ),
      })
      .meta({ description: 'Money on its way to the bank, and money that arrived.' }),
  })
  .meta({ title: 'DashboardSummary', description: "A seller's totals of a period." })

export type DashboardQuery = z.output<ReturnType<typeof dashboardQuery>>
export type DashboardView = z.output<typeof dashboardResponse>
