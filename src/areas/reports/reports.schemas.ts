import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { STATES } from '../../domain/contact.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { pageQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { reportPeriodResponse, reportQuery } from '../../http/period.schemas.ts'
import { emailView, idSchema } from '../../http/primitives.schemas.ts'
import { countView, money, percentageView } from './payment-totals.schemas.ts'
import { REVENUE_GROUPS_MAX } from './revenue.groups.ts'

const sellerFilter = { sellerId: idSchema.optional().meta({ description: 'Only the figures of this seller.' }) }

export const transactionsTotalQuery = (clock: Clock) => reportQuery(clock, sellerFilter)

const totals = {
  count: countView('Payments paid in the period.'),
  grossAmount: money('What was paid, before fees, in centavos.'),
  feeAmount: money('The fees of these payments, in centavos.', 1_188),
  netAmount: money('What was paid less these fees, in centavos.', 118_812),
}

export const transactionsTotalResponse = z
  .object({
    period: reportPeriodResponse,
    ...totals,
    byMethod: z
      .array(
        z
          .object({
            method: z.enum(PAYMENT_METHODS).meta({ description: 'How it was paid.', examples: ['pix'] }),
            ...totals,
          })
          .meta({ description: 'The payments of one method.' }),
      )
      .max(PAYMENT_METHODS.length)
      .meta({ description: 'The same payments by method. Sums to the totals.' }),
    byStatus: z
      .array(
        z
          .object({
            status: z.enum(PAYMENT_STATUSES).meta({ description: 'What they are now.', examples: ['paid'] }),
            ...totals,
          })
          .meta({ description: 'The payments of one status.' }),
      )
      .max(PAYMENT_STATUSES.length)
      .meta({ description: 'The same payments by what became of them. Sums to the totals.' }),
  })
  .meta({ title: 'TransactionsTotal', description: 'What all sellers were paid in a period, by the date of payment.' })

export const REVENUE_GROUPINGS = ['day', 'month', 'seller', 'method', 'provider'] as const

const revenueFilters = {
  ...sellerFilter,
  groupBy: z
    .enum(REVENUE_GROUPINGS)
    .default('day')
    .meta({
      description: 'What the items are: São Paulo days or months, sellers, methods or providers.',
      examples: ['day'],
    }),
}

export const revenueQuery = (clock: Clock) => reportQuery(clock, revenueFilters)

const revenueFields = {
  paidCount: countView('Payments paid in the period.'),
  grossVolumeAmount: money('What payers paid, by the date of payment, in centavos.'),
  paymentFeesAmount: money('Fees of payments, in centavos.', 1_188),
  withdrawalFeesAmount: money('Fees of completed withdrawals, in centavos.', 367),
  disputeFeesAmount: money('Fees of lost disputes, in centavos.', 0),
  providerCostAmount: money('What the payment provider charged, in centavos.', 0),
  refundedFeesAmount: money('Fees given back with refunds and returned withdrawals, in centavos.', 0),
  netRevenueAmount: money('The fees less those given back and the cost of the provider, in centavos.', 1_555),
  lossesAmount: money('Debts that were given up, less what was recovered of them, in centavos.', 0),
  marginAmount: money('The net revenue less the losses, in centavos.', 1_555),
  takeRatePercentage: percentageView('The fees less those given back, of the volume; 0 without volume.', 1.3),
}

export const revenueTotals = z
  .object(revenueFields)
  .meta({ description: 'What the platform earned, from the postings of its ledger, by when they were made.' })

export const revenueResponse = z
  .object({
    period: reportPeriodResponse,
    ...revenueFields,
    items: z
      .array(
        z
          .object({
            key: z
              .string()
              .max(36)
              .meta({
                description:
                  'The date (`YYYY-MM-DD`), the month (`YYYY-MM`), the id of the seller, the method, or the provider. `other`: fees that belong to no payment, which are those of withdrawals, what is of no provider, or the sellers with the smallest volume together.',
                examples: ['2026-11-21'],
              }),
            name: z
              .string()
              .max(500)
              .nullable()
              .meta({ description: 'Name of the seller. Null for other groups.', examples: ['Maria da Silva'] }),
            ...revenueFields,
          })
          .meta({ description: 'One group.' }),
      )
      .max(REVENUE_GROUPS_MAX + 1)
      .meta({
        description: `The groups, which sum to the totals: every date or month of the period in order, all methods, the providers, or the ${REVENUE_GROUPS_MAX} sellers with the largest volume and \`other\`.`,
      }),
  })
  .meta({ title: 'Revenue', description: 'Volume and revenue of a period.' })

export const billingQuery = pageQuery({
  ...sellerFilter,
  month: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM')
    .max(7)
    .optional()
    .meta({ description: 'Month of São Paulo, YYYY-MM. By default the current one.', examples: ['2026-11'] }),
})

// The bounds are those of the answer: what is stored was checked when it came in.
export const told = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] })

const billedCompany = z
  .object({
    id: idSchema,
    cnpj: told(500, 'Tax number, without its mask.', '12345678000195'),
    companyName: told(500, 'Registered name.', 'Padaria da Maria Ltda'),
    tradeName: told(500, 'Trade name.', 'Padaria da Maria'),
    email: emailView,
    phone: told(500, 'Phone, digits only.', '11912345678'),
    addressZipCode: told(500, 'CEP, digits only.', '01310100'),
    addressStreet: told(500, 'Street.', 'Avenida Paulista'),
    addressNumber: told(500, 'Number.', '1000'),
    addressComplement: told(500, 'Complement; may be empty.', 'Sala 1'),
    addressNeighborhood: told(500, 'Neighborhood.', 'Bela Vista'),
    addressCity: told(500, 'City.', 'São Paulo'),
    addressState: z.enum(STATES).meta({ description: 'State.', examples: ['SP'] }),
  })
  .meta({
    title: 'BilledCompany',
    description: 'Whom to invoice: the approved company of the seller, or the last one that was.',
  })

export const billingRow = z
  .object({
    id: idSchema.meta({ description: 'Id of the seller.' }),
    month: told(7, 'Month of São Paulo, YYYY-MM.', '2026-11'),
    sellerId: idSchema.meta({ description: 'Id of the seller.' }),
    sellerName: told(500, 'Name of the seller.', 'Maria da Silva'),
    sellerEmail: emailView.meta({ description: 'E-mail of the seller.' }),
    paidCount: countView('Payments paid in the month.'),
    grossVolumeAmount: money('What they came to, before fees, in centavos.'),
    paymentFeesAmount: revenueFields.paymentFeesAmount,
    withdrawalFeesAmount: revenueFields.withdrawalFeesAmount,
    disputeFeesAmount: revenueFields.disputeFeesAmount,
    refundedFeesAmount: revenueFields.refundedFeesAmount,
    providerCostAmount: revenueFields.providerCostAmount,
    totalFeesAmount: money('All fees less those given back, in centavos: the amount to invoice.', 1_555),
    refundsAmount: money('Returned to payers by refunds that did not fail, in centavos.', 10_000),
    lostDisputesAmount: money('Returned to payers by lost disputes, in centavos.', 0),
    netAmount: money('The volume less all fees, refunds and lost disputes, in centavos.', 108_445),
    withdrawnAmount: money('What reached banks: without fees, less what banks sent back, in centavos.', 99_633),
    company: billedCompany.nullable(),
  })
  .meta({ title: 'SellerBilling', description: "One seller's month. By the date of each event." })

export const billingResponse = listResponse(billingRow, 'billed sellers')

export type TransactionsTotalQuery = z.output<ReturnType<typeof transactionsTotalQuery>>
export type RevenueQuery = z.output<ReturnType<typeof revenueQuery>>
export type BillingQuery = z.output<typeof billingQuery>
export type BillingView = z.output<typeof billingRow>
