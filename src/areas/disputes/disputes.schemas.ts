import { z } from 'zod'
import { DOCUMENT_BYTES_MAX } from '../../domain/company-document.ts'
import { DISPUTE_RESOLVERS, DISPUTE_STATUSES, DISPUTE_TYPES } from '../../domain/dispute.ts'
import { fileFields } from '../../http/file-fields.schemas.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { instantSchema } from '../../http/period.schemas.ts'
import { amountView, emailView, idSchema, repeatable, timestampView } from '../../http/primitives.schemas.ts'

export const DEFENSE_TEXT_MAX = 5_000
export const DEFENSE_FILES_MAX = 5

const filters = {
  status: repeatable(DISPUTE_STATUSES),
  type: repeatable(DISPUTE_TYPES),
  paymentId: idSchema.optional().meta({ description: 'Only the disputes of this payment.' }),
  respondBefore: instantSchema.optional().meta({
    description:
      'Only those whose `respondBy` is before this instant. With `status=open`: what has to be answered soon.',
    examples: ['2026-12-01T03:00:00Z'],
  }),
}

export const listDisputesQuery = listQuery(filters, { cursors: true })

export type ListDisputesQuery = z.output<typeof listDisputesQuery>

export const listAllDisputesQuery = listQuery(
  { ...filters, sellerId: idSchema.optional().meta({ description: 'Only the disputes of this seller.' }) },
  { cursors: true },
)

export type ListAllDisputesQuery = z.output<typeof listAllDisputesQuery>

export const disputeFileParams = z.strictObject({
  id: idSchema.meta({ description: 'Identifier of the dispute.' }),
  fileId: idSchema.meta({ description: 'Identifier of the file.' }),
})

const fileView = z
  .object({
    id: idSchema,
    ...fileFields('nota-fiscal.pdf'),
  })
  .meta({ title: 'DisputeFile', description: 'A file of a defence.' })

const defenseView = z
  .object({
    text: z
      .string()
      .max(DEFENSE_TEXT_MAX)
      .meta({ description: 'What you answered.', examples: ['O pedido foi entregue em 12/11, com assinatura.'] }),
    files: z.array(fileView).max(DEFENSE_FILES_MAX).meta({ description: 'What you sent with it.' }),
    submittedAt: timestampView.meta({ description: 'When you answered.' }),
    refusal: z
      .string()
      .max(200)
      .nullable()
      .meta({ description: 'Why the provider did not take the defence; else null.', examples: [null] }),
  })
  .meta({ title: 'DisputeDefense', description: 'Your answer to a dispute.' })

export const disputeResponse = z
  .object({
    id: idSchema,
    paymentId: idSchema.meta({ description: 'The payment that is disputed.' }),
    type: z.enum(DISPUTE_TYPES).meta({
      description: '`med`: a Pix that its payer calls a fraud. `chargeback`: a card payment that its holder denies.',
      examples: ['med'],
    }),
    status: z.enum(DISPUTE_STATUSES).meta({
      description:
        'Where it stands. `under_review` after your defence. One that is not answered by `respondBy` is `lost`.',
      examples: ['open'],
    }),
    amount: amountView.meta({ description: 'Centavos that the payer claims.', examples: [10_000] }),
    blockedAmount: amountView.meta({
      description: 'Centavos moved to your blocked balance for it. Kept as they were when the dispute has ended.',
      examples: [9_010],
    }),
    frozenReserveAmount: amountView.meta({
      description: 'Centavos of this payment’s own reserve that stand in for it.',
      examples: [990],
    }),
    feeAmount: amountView.meta({
      description: 'Centavos that the platform charges if it is lost, as they were when it was opened.',
      examples: [0],
    }),
    reason: z
      .string()
      .max(200)
      .meta({ description: 'Why, as the provider says.', examples: ['The payer says that this Pix is a fraud.'] }),
    respondBy: timestampView.meta({ description: 'Until when you can answer.' }),
    defense: defenseView.nullable(),
    resolvedAt: timestampView.nullable().meta({ description: 'When it ended.' }),
    resolvedBy: z
      .enum(DISPUTE_RESOLVERS)
      .nullable()
      .meta({
        description:
          'Who ended it: the `provider`, or the `deadline` because nobody answered. Such a loss is undone when the provider decides for you after all.',
        examples: [null],
      }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'Dispute', description: 'A dispute.' })

export const disputesResponse = listResponse(disputeResponse, 'disputes')

export const adminDisputeResponse = disputeResponse
  .extend({
    sellerId: idSchema.meta({ description: 'Whose payment is disputed.' }),
    sellerName: z
      .string()
      .max(200)
      .meta({ description: 'Name of the seller.', examples: ['Maria da Silva'] }),
    sellerEmail: emailView.meta({ description: 'E-mail of the seller.', examples: ['maria@example.com'] }),
  })
  .meta({ title: 'AdminDispute', description: 'A dispute and whose it is.' })

export const adminDisputesResponse = listResponse(adminDisputeResponse, 'disputes')

const textProperty = {
  type: 'string',
  minLength: 1,
  maxLength: DEFENSE_TEXT_MAX,
  description: 'Why the payment was right.',
  examples: ['O pedido foi entregue em 12/11, com assinatura.'],
}
const fileProperty = {
  type: 'array',
  maxItems: DEFENSE_FILES_MAX,
  items: { type: 'string', format: 'binary', maxLength: DOCUMENT_BYTES_MAX, description: 'A PDF, JPEG or PNG file.' },
  description: 'Files that prove it, of up to 10 MiB each. Only in a form.',
}

// Read by the handler, from a form or from JSON, and judged there: this only documents it.
export const defenseForm = z.any().meta({
  type: 'object',
  additionalProperties: false,
  properties: { text: textProperty, file: fileProperty },
  required: ['text'],
  description: 'Your answer. As JSON without files, as a form with up to five.',
})
