import { z } from 'zod'
import { AMOUNT_MAX } from '../../domain/money.ts'
import { ADJUSTMENT_ACCOUNTS, ADJUSTMENT_KINDS as KINDS } from '../../domain/platform-transfers.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'

const REASON_MAX = 500
const DEBTS_MAX = 1_000

const about = {
  kind: '`correction`: a mistake is corrected. `write_off`: what a seller owes becomes the platform’s loss. `recovery`: money of a seller goes to what was written off.',
  amount: 'What it does to the available balance, in centavos: positive gives, negative takes.',
  against:
    'Which account of the platform it is balanced against. Write-offs and recoveries are always balanced against `losses`.',
  reason: 'Why, for the seller and the audit log.',
  allowNegative: 'Whether it may make the seller owe the platform.',
} as const

const kind = z.enum(KINDS).meta({ description: about.kind, examples: ['correction'] })
const against = z.enum(ADJUSTMENT_ACCOUNTS).meta({ description: about.against, examples: ['fee_revenue'] })

const SIGNS = { correction: 'not be zero', write_off: 'be positive', recovery: 'be negative' } as const

const hasItsSign = (of: (typeof KINDS)[number], amount: number): boolean =>
  of === 'correction' ? amount !== 0 : of === 'write_off' ? amount > 0 : amount < 0

export const adjustmentBody = z
  .strictObject({
    sellerId: idSchema.meta({ description: 'Whose balance.' }),
    kind: kind.default('correction'),
    amount: z
      .number()
      .int()
      .min(-AMOUNT_MAX)
      .max(AMOUNT_MAX)
      .meta({ description: about.amount, examples: [1_500] }),
    against: against.default('losses'),
    reason: text(REASON_MAX).meta({
      description: about.reason,
      examples: ['The fee of 20 November was charged twice.'],
    }),
    allowNegative: z
      .boolean()
      .default(false)
      .meta({ description: about.allowNegative, examples: [false] }),
  })
  .superRefine(({ kind: of, amount, against: account }, context) => {
    if (!hasItsSign(of, amount)) {
      const params = { code: 'invalid_sign' }
      context.addIssue({ code: 'custom', path: ['amount'], message: `of a ${of} must ${SIGNS[of]}`, params })
    }
    if (of !== 'correction' && account !== 'losses') {
      const params = { code: 'invalid_account' }
      context.addIssue({ code: 'custom', path: ['against'], message: `of a ${of} must be losses`, params })
    }
  })
  .meta({ description: 'A correction of a seller’s balance.' })

export type AdjustmentBody = z.output<typeof adjustmentBody>

const shown = {
  id: idSchema,
  sellerId: idSchema.meta({ description: 'Whose balance.' }),
  kind,
  amount: amountView.meta({ description: about.amount, examples: [1_500] }),
  reason: z
    .string()
    .max(REASON_MAX)
    .meta({ description: about.reason, examples: ['The fee of 20 November was charged twice.'] }),
  createdAt: timestampView,
}

/** An adjustment as events carry it. */
export const adjustmentEventSchema = z
  .object(shown)
  .meta({ title: 'AdjustmentEventData', description: 'A correction of a balance.' })

export const adjustmentResponse = z
  .object({
    ...shown,
    against,
    allowNegative: z.boolean().meta({ description: about.allowNegative, examples: [false] }),
    proposedBy: idSchema.meta({ description: 'The administrator who made or proposed it.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The second administrator; null where none was asked.' }),
  })
  .meta({ title: 'Adjustment', description: 'A correction of a seller’s balance by administrators.' })

export const adjustmentsResponse = listResponse(adjustmentResponse, 'adjustments')

export const adjustmentsQuery = listQuery(
  {
    sellerId: idSchema.optional().meta({ description: 'Only those of this seller.' }),
    kind: repeatable(KINDS),
  },
  { cursors: true },
)

export type AdjustmentsQuery = z.output<typeof adjustmentsQuery>

const debt = z
  .object({
    sellerId: idSchema.meta({ description: 'Who owes.' }),
    sellerName: z
      .string()
      .max(200)
      .meta({ description: 'Name of the seller.', examples: ['Maria da Silva'] }),
    owedAmount: amountView.meta({ description: 'How far the available balance is below zero.', examples: [90_990] }),
    owedSince: timestampView.meta({ description: 'Since when, to the hour.' }),
    toldAt: timestampView.nullable().meta({ description: 'When the seller was last told by `balance.owed`.' }),
  })
  .meta({ title: 'SellerDebt', description: 'What a seller owes the platform.' })

export const debtsResponse = z
  .object({ data: z.array(debt).max(DEBTS_MAX).meta({ description: 'The oldest debts first.' }) })
  .meta({ title: 'SellerDebts', description: 'Sellers who owe the platform.' })

export const debtEventSchema = z
  .object({
    sellerId: idSchema.meta({ description: 'Who owes.' }),
    owedAmount: amountView.meta({ description: 'How far the available balance is below zero.', examples: [90_990] }),
    owedSince: timestampView.meta({ description: 'Since when, to the hour.' }),
  })
  .meta({ title: 'BalanceOwedEventData', description: 'What a seller owes the platform.' })
