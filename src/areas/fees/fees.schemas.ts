import { z } from 'zod'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import {
  amountOrZeroSchema,
  amountSchema,
  amountView,
  dateSchema,
  idSchema,
  percentageSchema,
  repeatable,
  timestampView,
} from '../../http/primitives.schemas.ts'

const SETTLEMENT_DAYS_MAX = 365

const method = z.enum(PAYMENT_METHODS).meta({ description: 'Payment method.', examples: ['credit_card'] })

const installments = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(INSTALLMENTS_MAX)
    .meta({ description, examples: [example] })

const sellerId = idSchema
  .nullable()
  .meta({ description: 'Seller who pays it. Null: everyone without a fee of their own.', examples: [null] })

const terms = {
  percentage: percentageSchema.meta({ description: 'Part of the payment, in percent with up to two decimals.' }),
  fixedAmount: amountOrZeroSchema.meta({ description: 'Added to the percentage, in centavos.', examples: [39] }),
  minAmount: amountOrZeroSchema.nullable().meta({ description: 'The fee is at least this.', examples: [null] }),
  maxAmount: amountSchema.nullable().meta({ description: 'The fee is at most this.', examples: [null] }),
  settlementDays: z
    .number()
    .int()
    .min(0)
    .max(SETTLEMENT_DAYS_MAX)
    .meta({
      description:
        'Pix: days until the money is available, 0 for at once. Boleto: business days. Card: days per installment.',
      examples: [30],
    }),
}

const band = {
  installmentsFrom: installments('First number of installments that it covers. Cards only; otherwise 1.', 2),
  installmentsTo: installments('Last number of installments that it covers. Cards only; otherwise 1.', 6),
}

type Bounds = {
  installmentsFrom?: number | undefined
  installmentsTo?: number | undefined
  minAmount?: number | null | undefined
  maxAmount?: number | null | undefined
}

const inOrder = (low: number | null | undefined, high: number | null | undefined): boolean =>
  low === null || low === undefined || high === null || high === undefined || low <= high

const checkBounds = ({ installmentsFrom, installmentsTo, minAmount, maxAmount }: Bounds, context: z.RefinementCtx) => {
  if (!inOrder(installmentsFrom, installmentsTo)) {
    context.addIssue({ code: 'custom', path: ['installmentsTo'], message: 'must not be below installmentsFrom' })
  }
  if (!inOrder(minAmount, maxAmount)) {
    context.addIssue({ code: 'custom', path: ['maxAmount'], message: 'must not be below minAmount' })
  }
}

const onlyCards = (given: { method?: string | undefined }, counts: readonly (number | undefined)[]): boolean =>
  given.method === undefined || given.method === 'credit_card' || counts.every((count = 1) => count === 1)

const CARDS_ONLY = 'only a credit_card has more than one installment'

export const createFeeBody = z
  .strictObject({
    sellerId: sellerId.optional(),
    method,
    installmentsFrom: band.installmentsFrom.optional(),
    installmentsTo: band.installmentsTo.optional(),
    percentage: terms.percentage,
    fixedAmount: terms.fixedAmount.default(0),
    minAmount: terms.minAmount.optional(),
    maxAmount: terms.maxAmount.optional(),
    settlementDays: terms.settlementDays.optional().meta({
      description: 'Default: Pix 0, boleto 1 business day, card 30 days per installment.',
      examples: [30],
    }),
  })
  .superRefine((fee, context) => {
    checkBounds(fee, context)
    if (!onlyCards(fee, [fee.installmentsFrom, fee.installmentsTo])) {
      context.addIssue({ code: 'custom', path: ['installmentsTo'], message: CARDS_ONLY })
    }
  })
  .meta({ description: 'A new fee.' })

export const updateFeeBody = z
  .strictObject({
    sellerId: sellerId.optional().meta({ description: 'May be repeated, not changed.', examples: [null] }),
    method: method.optional().meta({ description: 'May be repeated, not changed.', examples: ['credit_card'] }),
    installmentsFrom: band.installmentsFrom.optional(),
    installmentsTo: band.installmentsTo.optional(),
    percentage: terms.percentage.optional(),
    fixedAmount: terms.fixedAmount.optional(),
    minAmount: terms.minAmount.optional(),
    maxAmount: terms.maxAmount.optional(),
    settlementDays: terms.settlementDays.optional(),
    isActive: z
      .boolean()
      .optional()
      .meta({ description: 'False closes the fee for good.', examples: [true] }),
  })
  .superRefine(checkBounds)
  .meta({ description: 'What changes; fields that are not sent stay as they are.' })

export const feeResponse = z
  .object({
    id: idSchema,
    sellerId,
    method,
    ...band,
    percentage: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Part of the payment, in percent with up to two decimals.', examples: [3.99] }),
    fixedAmount: amountView.meta({ description: 'Added to the percentage, in centavos.', examples: [39] }),
    minAmount: amountView.nullable().meta({ description: 'The fee is at least this, in centavos.', examples: [null] }),
    maxAmount: amountView.nullable().meta({ description: 'The fee is at most this, in centavos.', examples: [null] }),
    settlementDays: terms.settlementDays,
    isActive: z
      .boolean()
      .meta({ description: 'Whether new payments are charged with it. A closed version never is again.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({
    title: 'Fee',
    description: 'What the platform charges per payment. Payments keep the fee that they were created with.',
  })

export const feesResponse = listResponse(feeResponse, 'fees')

export const feesQuery = listQuery({ method: repeatable(PAYMENT_METHODS) })

const adminFilters = {
  method: repeatable(PAYMENT_METHODS),
  sellerId: idSchema.optional().meta({ description: "Only this seller's own fees." }),
  isActive: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only active fees, or only closed versions.', examples: ['true'] }),
}

export const adminFeesQuery = listQuery(adminFilters, { cursors: true })

export const simulateFeeBody = z
  .strictObject({
    method,
    amount: amountSchema.meta({ description: 'What the payer would pay, in centavos.', examples: [10_000] }),
    installments: installments('Number of installments of a card payment. Default 1.', 3).optional(),
  })
  .superRefine((body, context) => {
    if (!onlyCards(body, [body.installments])) {
      context.addIssue({ code: 'custom', path: ['installments'], message: CARDS_ONLY })
    }
  })
  .meta({ description: 'A payment that might be made.' })

export const simulateFeeResponse = z
  .object({
    amount: amountView,
    feeAmount: amountView.meta({ description: "The platform's fee, in centavos.", examples: [548] }),
    netAmount: amountView.meta({ description: 'What the seller gets, in centavos.', examples: [9452] }),
    reserveAmount: amountView.meta({
      description: 'How much of the net would be held back as a reserve when it becomes available, in centavos.',
      examples: [0],
    }),
    settlements: z
      .array(
        z
          .object({
            installment: z
              .number()
              .int()
              .min(1)
              .meta({ description: 'Number of the part, from 1.', examples: [1] }),
            amount: amountView.meta({ description: 'This part of the net, in centavos.', examples: [3152] }),
            availableOn: dateSchema.meta({ description: 'São Paulo date from which it is available.' }),
          })
          .meta({ description: 'One part of the net.' }),
      )
      .max(INSTALLMENTS_MAX)
      .meta({ description: 'When which part of the net would be available if it were paid now.' }),
  })
  .meta({ title: 'FeeSimulation', description: 'What a payment would cost and bring.' })

export type CreateFeeBody = z.output<typeof createFeeBody>
export type UpdateFeeBody = z.output<typeof updateFeeBody>
export type FeesQuery = z.output<typeof feesQuery>
export type AdminFeesQuery = z.output<typeof adminFeesQuery>
export type SimulateFeeBody = z.output<typeof simulateFeeBody>
