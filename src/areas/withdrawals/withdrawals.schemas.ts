import { z } from 'zod'
import { isPixKey, normalizePixKey, PIX_KEY_TYPES } from '../../domain/contact.ts'
import { DISPUTE_STATUSES, DISPUTE_TYPES } from '../../domain/dispute.ts'
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import {
  amountSchema,
  amountView,
  emailView,
  idSchema,
  repeatable,
  text,
  timestampView,
} from '../../http/primitives.schemas.ts'

const PIX_KEY_MAX = 100
const REASON_MAX = 500
/** A seller has at most as many companies, and each was approved by one. */
const PEOPLE_MAX = 1_000

const pixKeyTypeField = z.enum(PIX_KEY_TYPES).meta({
  description: 'What kind of key it is. Eleven digits may be a CPF or a phone, so it is always asked for.',
  examples: ['email'],
})

export const requestWithdrawalBody = z
  .strictObject({
    amount: amountSchema.meta({
      description: 'Centavos (BRL) that leave the available balance. The fee is taken out of them.',
      examples: [500_000],
    }),
    pixKeyType: pixKeyTypeField,
    pixKey: text(PIX_KEY_MAX).meta({
      description: 'Pix key of the receiver, with or without its mask. Kept as the Pix directory writes it.',
      examples: ['financeiro@padaria.com.br'],
    }),
    description: text(140)
      .optional()
      .meta({ description: 'Travels with the Pix to the receiver.', examples: ['Saque de novembro'] }),
  })
  .transform((body) => ({ ...body, pixKey: normalizePixKey(body.pixKeyType, body.pixKey) }))
  .superRefine(({ pixKeyType, pixKey }, context) => {
    if (isPixKey(pixKeyType, pixKey)) return
    const message = `must be a valid key of the type ${pixKeyType}`
    context.addIssue({ code: 'custom', path: ['pixKey'], message, params: { code: 'invalid_pix_key' } })
  })
  .meta({ description: 'A request to withdraw.' })

export type RequestWithdrawalBody = z.output<typeof requestWithdrawalBody>

const filterFields = {
  status: repeatable(WITHDRAWAL_STATUSES),
  search: text(100)
    .optional()
    .meta({
      description: 'In the Pix key and the description; a whole id or end-to-end id.',
      examples: ['financeiro@'],
    }),
}

export const listWithdrawalsQuery = listQuery(filterFields, { cursors: true })

export type ListWithdrawalsQuery = z.output<typeof listWithdrawalsQuery>

export const listAllWithdrawalsQuery = listQuery(
  { ...filterFields, sellerId: idSchema.optional().meta({ description: 'Only the withdrawals of this seller.' }) },
  { cursors: true },
)

export type ListAllWithdrawalsQuery = z.output<typeof listAllWithdrawalsQuery>

export const rejectWithdrawalBody = z
  .strictObject({
    reason: text(REASON_MAX).meta({
      description: 'Why, for the seller and the audit log.',
      examples: ['The Pix key belongs to somebody else.'],
    }),
  })
  .meta({ description: 'The reason of a rejection.' })

/** A withdrawal as the API and its events show it. */
export const withdrawalResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'Identifier of the seller.' }),
    amount: amountView.meta({ description: 'Centavos that left the available balance.', examples: [500_000] }),
    feeAmount: amountView.meta({ description: 'The platform’s fee, part of the amount.', examples: [100] }),
    netAmount: amountView.meta({ description: 'What the receiver gets.', examples: [499_900] }),
    pixKeyType: pixKeyTypeField,
    pixKey: z
      .string()
      .max(PIX_KEY_MAX)
      .meta({ description: 'Pix key of the receiver; masked in events.', examples: ['financeiro@padaria.com.br'] }),
    status: z.enum(WITHDRAWAL_STATUSES).meta({
      description: 'Where it stands. A payout whose outcome is not known yet is `processing`.',
      examples: ['pending_approval'],
    }),
    statusReason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({
        description: 'Why it was rejected, failed or returned, or what an approved one waits for.',
        examples: [null],
      }),
    endToEndId: z
      .string()
      .max(64)
      .nullable()
      .meta({
        description: 'The Pix system’s id of the payout.',
        examples: ['E12345678202611211305abcDEF12345'],
      }),
    approvedBy: z
      .uuid()
      .max(36)
      .nullable()
      .meta({
        description: 'The administrator who approved it; null also where it needed nobody.',
        examples: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
      }),
    requestedAt: timestampView.meta({ description: 'When it was requested.' }),
    approvedAt: timestampView.nullable().meta({ description: 'When it was approved.' }),
    completedAt: timestampView.nullable().meta({ description: 'When the money arrived.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'Withdrawal', description: 'A withdrawal.' })

export const withdrawalsResponse = listResponse(withdrawalResponse, 'withdrawals')

/** How many disputes are shown of a seller who owes. */
export const CLAIMS_MAX = 20

const claim = z
  .object({
    id: idSchema.meta({ description: 'The dispute.' }),
    paymentId: idSchema.meta({ description: 'The payment that it is about.' }),
    type: z.enum(DISPUTE_TYPES).meta({ description: 'What kind of dispute it is.', examples: ['med'] }),
    status: z.enum(DISPUTE_STATUSES).meta({ description: 'Where it stands.', examples: ['open'] }),
    amount: amountView.meta({ description: 'Centavos that the payer claims.', examples: [10_000] }),
    createdAt: timestampView,
  })
  .meta({ title: 'UncoveringDispute', description: 'A dispute that took what a withdrawal was to be paid from.' })

export const adminWithdrawalResponse = withdrawalResponse
  .extend({
    sellerName: z
      .string()
      .max(200)
      .meta({ description: 'Name of the seller.', examples: ['Maria da Silva'] }),
    sellerEmail: emailView.meta({ description: 'E-mail of the seller.', examples: ['maria@example.com'] }),
    owedAmount: amountView.meta({
      description: 'How far the seller’s available balance is below zero. Unless it is 0, nothing is paid out.',
      examples: [0],
    }),
    availableAmount: amountView.meta({
      description: 'What the seller has available now, in centavos. Below zero it is not paid out.',
      examples: [12_000],
    }),
    uncoveredBy: z
      .array(claim)
      .max(CLAIMS_MAX)
      .meta({
        description: `While the seller owes: disputes that are open or were lost, the newest ${CLAIMS_MAX}. None where it is by refunds or adjustments.`,
      }),
  })
  .meta({ title: 'AdminWithdrawal', description: 'A withdrawal and whose it is.' })

export const adminWithdrawalsResponse = listResponse(adminWithdrawalResponse, 'withdrawals')

/** A withdrawal alone, for whoever decides on it. */
export const adminWithdrawalDetailResponse = adminWithdrawalResponse
  .extend({
    requestedBy: idSchema.meta({ description: 'Who asked for it.' }),
    sellerCreatedBy: idSchema.nullable().meta({
      description: 'The administrator who made the seller’s account. Null: they registered.',
      examples: [null],
    }),
    sellerApprovedBy: z.array(idSchema).max(PEOPLE_MAX).meta({
      description:
        'The administrators who approved the seller’s companies. Like who made the account, they leave the decision to others.',
    }),
  })
  .meta({ title: 'AdminWithdrawalDetail', description: 'A withdrawal, whose it is, and who had a part in that.' })
