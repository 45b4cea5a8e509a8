import { z } from 'zod'
import { SELLER_ACCOUNTS, TRANSFER_KINDS } from '../../domain/ledger.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { REFERENCE_TYPES } from '../../domain/transfer.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, idSchema, repeatable, timestampView } from '../../http/primitives.schemas.ts'

const direction = z.enum(['credit', 'debit'])

const filters = {
  type: repeatable(TRANSFER_KINDS).meta({ description: 'Why money moved. May be given several times.' }),
  bucket: repeatable(SELLER_ACCOUNTS).meta({ description: 'Which bucket moved. May be given several times.' }),
  direction: direction.optional().meta({ description: 'Only what came in, or only what went out.' }),
}

export const transactionsQuery = listQuery(filters, { cursors: true })

export const adminTransactionsQuery = listQuery(
  { ...filters, sellerId: idSchema.optional().meta({ description: 'Only the statement of this seller.' }) },
  { cursors: true },
)

export const transactionResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'Whose statement it is a row of.' }),
    type: z.enum(TRANSFER_KINDS).meta({ description: 'Why money moved.', examples: ['payment_received'] }),
    bucket: z.enum(SELLER_ACCOUNTS).meta({ description: 'Which bucket moved.', examples: ['available'] }),
    direction: direction.meta({ description: 'Whether the bucket got more or less.', examples: ['credit'] }),
    amount: amountView.min(1).meta({ description: 'How much moved, in centavos.', examples: [9_901] }),
    balanceAfter: amountView.meta({ description: 'What the bucket held after it, in centavos.', examples: [9_901] }),
    grossAmount: amountView.meta({
      description:
        'How much it was before the platform’s fee: of what came in, the amount and the fee; of what went out, the amount, of which the fee is a part.',
      examples: [10_000],
    }),
    feeAmount: amountView.meta({
      description: 'The platform’s fee in it, in centavos: zero where it takes none, negative where it gives one back.',
      examples: [99],
    }),
    referenceType: z.enum(REFERENCE_TYPES).meta({ description: 'What it was for.', examples: ['payment'] }),
    referenceId: idSchema.meta({ description: 'Id of what it was for.' }),
    paymentId: idSchema.nullable().meta({
      description:
        'The payment behind it, also of a settlement, a reserve, a refund and a dispute; null where there is none.',
    }),
    externalReference: z
      .string()
      .max(100)
      .nullable()
      .meta({ description: 'Your own name for that payment.', examples: ['order-77'] }),
    method: z
      .enum(PAYMENT_METHODS)
      .nullable()
      .meta({ description: 'How that payment was paid.', examples: ['pix'] }),
    description: z
      .string()
      .max(200)
      .meta({
        description: 'The same in words: in Portuguese where `Accept-Language` prefers that.',
        examples: ['Payment received, less its fee'],
      }),
    createdAt: timestampView,
  })
  .meta({ title: 'Transaction', description: "One movement of one of a seller's buckets." })

export const transactionsResponse = listResponse(transactionResponse, 'transactions')

export type TransactionView = z.output<typeof transactionResponse>
export type TransactionsQuery = z.output<typeof transactionsQuery>
export type AdminTransactionsQuery = z.output<typeof adminTransactionsQuery>
