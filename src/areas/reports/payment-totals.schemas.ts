import { z } from 'zod'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { REPORT_DAYS_MAX } from '../../domain/period.ts'
import { amountView, dateSchema } from '../../http/primitives.schemas.ts'

/** A number of things in a report. */
export const countView = (description: string, example = 12) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [example] })

/** An amount in a report, in centavos. */
export const money = (description: string, example = 120_000) => amountView.meta({ description, examples: [example] })

/** A percentage in a report. It may exceed 100 or be negative where the whole is smaller than its part. */
export const percentageView = (description: string, example: number) =>
  z.number().meta({ description: `${description} In percent, with up to two decimals.`, examples: [example] })

export const paymentTotals = z
  .object({
    createdCount: countView('Payments created in the period.', 20),
    paidCount: countView('Payments paid in the period, whenever they were created.'),
    paidAmount: money('What was paid in the period, before fees, in centavos.'),
    averageTicketAmount: money('`paidAmount` divided by `paidCount`, in centavos; 0 without payments.', 10_000),
    conversionPercentage: percentageView(
      'Of the payments created in the period, the share that has been paid by now; 0 without payments.',
      60,
    ),
    refundedAmount: money(
      'Refunds requested in the period less those that failed in it, in centavos, whenever their payments were made.',
      10_000,
    ),
    disputedAmount: money('What was disputed by disputes opened in the period, in centavos, whatever came of them.', 0),
  })
  .meta({
    title: 'PaymentTotals',
    description: 'The payments of the period. Each figure counts by the date of its own event.',
  })

export const byMethodTotals = z
  .array(
    z
      .object({
        method: z.enum(PAYMENT_METHODS).meta({ description: 'How it was paid.', examples: ['pix'] }),
        count: countView('Payments paid in the period.'),
        amount: money('What was paid, before fees, in centavos.'),
      })
      .meta({ description: 'What was paid by one method.' }),
  )
  .max(PAYMENT_METHODS.length)
  .meta({ description: 'Payments by method, by the date they were paid. Sums to `paidCount` and `paidAmount`.' })

export const byStatusTotals = z
  .array(
    z
      .object({
        status: z.enum(PAYMENT_STATUSES).meta({ description: 'What they are now.', examples: ['paid'] }),
        count: countView('Payments created in the period.'),
        amount: money('What was asked for, in centavos.'),
      })
      .meta({ description: 'The payments of one status.' }),
  )
  .max(PAYMENT_STATUSES.length)
  .meta({ description: 'Payments by status, by the date they were created. Sums to `createdCount`.' })

export const timeseries = z
  .array(
    z
      .object({
        date: dateSchema,
        paidCount: countView('Payments paid on that date.', 3),
        paidAmount: money('What was paid, before fees, in centavos.', 30_000),
        netAmount: money('What was paid, less the fees of payments, in centavos.', 29_703),
      })
      .meta({ description: 'One date.' }),
  )
  .max(REPORT_DAYS_MAX + 1)
  .meta({ description: 'Payments by the São Paulo date they were paid on: every date of the period, in order.' })
