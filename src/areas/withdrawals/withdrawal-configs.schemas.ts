import { z } from 'zod'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import {
  amountOrZeroSchema,
  amountSchema,
  amountView,
  emailView,
  idSchema,
  percentageSchema,
  timestampView,
} from '../../http/primitives.schemas.ts'

const about = {
  minAmount: 'Smallest withdrawal, in centavos.',
  maxAmount: 'Largest withdrawal, in centavos.',
  dailyLimitAmount: 'All withdrawals of one São Paulo day together, in centavos.',
  feePercentage: "Part of the amount that is the platform's fee, in percent with up to two decimals.",
  feeFixedAmount: 'Added to the percentage, in centavos.',
  autoApproveMaxAmount: 'Up to this amount no administrator is asked, in centavos. Zero asks always.',
  isActive: 'Whether the seller may withdraw.',
} as const

const isActive = z.boolean().meta({ description: about.isActive, examples: [true] })

export const updateWithdrawalConfigBody = z
  .strictObject({
    minAmount: amountSchema.meta({ description: about.minAmount, examples: [1_000] }),
    maxAmount: amountSchema.meta({ description: about.maxAmount, examples: [5_000_000] }),
    dailyLimitAmount: amountOrZeroSchema.meta({ description: about.dailyLimitAmount, examples: [10_000_000] }),
    feePercentage: percentageSchema.meta({ description: about.feePercentage, examples: [0.5] }),
    feeFixedAmount: amountOrZeroSchema.meta({ description: about.feeFixedAmount, examples: [100] }),
    autoApproveMaxAmount: amountOrZeroSchema.meta({ description: about.autoApproveMaxAmount, examples: [100_000] }),
    isActive,
  })
  .refine(({ minAmount, maxAmount }) => minAmount <= maxAmount, {
    path: ['maxAmount'],
    message: 'must not be below minAmount',
  })
  .meta({ description: 'The whole configuration. It touches new withdrawals only.' })

export const withdrawalConfigResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'Identifier of the seller.' }),
    sellerName: z
      .string()
      .max(200)
      .meta({ description: "Seller's name.", examples: ['Maria da Silva'] }),
    sellerEmail: emailView.meta({ description: "Seller's e-mail.", examples: ['maria@example.com'] }),
    minAmount: amountView.meta({ description: about.minAmount, examples: [1_000] }),
    maxAmount: amountView.meta({ description: about.maxAmount, examples: [5_000_000] }),
    dailyLimitAmount: amountView.meta({ description: about.dailyLimitAmount, examples: [10_000_000] }),
    feePercentage: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: about.feePercentage, examples: [0.5] }),
    feeFixedAmount: amountView.meta({ description: about.feeFixedAmount, examples: [100] }),
    autoApproveMaxAmount: amountView.meta({ description: about.autoApproveMaxAmount, examples: [100_000] }),
    isActive,
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'WithdrawalConfig', description: 'What a seller may withdraw and what it costs them.' })

export const withdrawalConfigsResponse = listResponse(withdrawalConfigResponse, 'withdrawal configurations')

export const withdrawalConfigsQuery = listQuery({
  sellerId: idSchema.optional().meta({ description: 'Only the configuration of this seller.' }),
})

export type UpdateWithdrawalConfigBody = z.output<typeof updateWithdrawalConfigBody>
export type WithdrawalConfigsQuery = z.output<typeof withdrawalConfigsQuery>
