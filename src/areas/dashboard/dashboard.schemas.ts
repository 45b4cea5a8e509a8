import { z } from 'zod'
import { reportPeriodFields, reportPeriodResponse } from '../../http/report-period.ts'
import { balanceResponse } from '../balance/balance.schemas.ts'
import {
  byMethodFigures,
  byStatusFigures,
  money,
  paymentsFigures,
  timeseriesFigures,
} from '../reports/payment-figures.schemas.ts'

export const dashboardQuery = z.strictObject(reportPeriodFields)

export const dashboardResponse = z
  .object({
    period: reportPeriodResponse,
    balance: balanceResponse.meta({ description: 'What the seller has now, whatever the period.' }),
    payments: paymentsFigures,
    byMethod: byMethodFigures,
    byStatus: byStatusFigures,
    timeseries: timeseriesFigures,
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
  .meta({ description: "A seller's figures of a period." })

export type DashboardQuery = z.output<typeof dashboardQuery>
export type DashboardView = z.output<typeof dashboardResponse>
