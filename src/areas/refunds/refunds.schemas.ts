import { z } from 'zod'
import { REFUND_ORIGINS, REFUND_STATUSES } from '../../domain/refund.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountSchema, amountView, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'

const REASON_MAX = 200

export const requestRefundBody = z
  .strictObject({
    amount: amountSchema.optional().meta({
      description: 'Centavos (BRL) that go back. By default all that is left of the payment.',
      examples: [2_500],
    }),
    reason: text(REASON_MAX)
      .optional()
      .meta({ description: 'Why, for your own records and the provider.', examples: ['Produto devolvido'] }),
  })
  // A POST without a body arrives as null.
  .nullish()
  .meta({ description: 'What goes back to the payer.' })

export type RequestRefundBody = z.output<typeof requestRefundBody>

export const listRefundsQuery = listQuery({ status: repeatable(REFUND_STATUSES) }, { cursors: true })

export type ListRefundsQuery = z.output<typeof listRefundsQuery>

export const listSellerRefundsQuery = listQuery(
  {
    status: repeatable(REFUND_STATUSES),
    paymentId: idSchema.optional().meta({ description: 'Only those of this payment.' }),
  },
  { cursors: true },
)

export type ListSellerRefundsQuery = z.output<typeof listSellerRefundsQuery>

export const refundResponse = z
  .object({
    id: idSchema,
    paymentId: idSchema.meta({ description: 'The payment that goes back.' }),
    amount: amountView.meta({ description: 'Centavos that go back to the payer.', examples: [2_500] }),
    reason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why, as told when it was requested.', examples: ['Produto devolvido'] }),
    status: z.enum(REFUND_STATUSES).meta({
      description:
        'Where it stands. While the provider has not said what became of it, it is `processing`. A `failed` one has given its money back.',
      examples: ['processing'],
    }),
    origin: z.enum(REFUND_ORIGINS).meta({
      description: '`seller`: you asked for it. `provider`: the provider sent the money back without your asking.',
      examples: ['seller'],
    }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'Refund', description: 'A refund.' })

export const refundsResponse = listResponse(refundResponse, 'refunds')
