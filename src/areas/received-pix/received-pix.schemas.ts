import { z } from 'zod'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'
import { RECEIVED_PIX_STATUSES } from './received-pix.statuses.ts'

const line = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] })

const END_TO_END_ID = 'E12345678202611211305abcdefghijk'

export const receivedPixParams = z.strictObject({
  endToEndId: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,64}$/)
    .max(64)
    .meta({ description: 'End-to-end id of the Pix.', examples: [END_TO_END_ID] }),
})

export const listReceivedPixQuery = listQuery({ status: repeatable(RECEIVED_PIX_STATUSES) })

export const resolveReceivedPixBody = z
  .strictObject({
    resolution: z.enum(['refund_payer', 'explain']).meta({
      description: '`refund_payer` sends it back; `explain` leaves it where it is, for a reason.',
      examples: ['refund_payer'],
    }),
    reason: text(500).meta({ description: 'Why, for whoever reads it later.', examples: ['Paid twice by the payer.'] }),
  })
  .meta({ description: 'What becomes of a Pix that is no payment.' })

export type ResolveReceivedPixBody = z.output<typeof resolveReceivedPixBody>

export const receivedPixResponse = z
  .object({
    id: idSchema,
    endToEndId: line(64, 'End-to-end id.', END_TO_END_ID),
    provider: line(40, 'Where it came in.', 'efi'),
    txid: line(35, 'The charge that it paid.', '01939f3e7c1a7b1e9d6a3f5b8c2d1e00').nullable(),
    amount: amountView.meta({ description: 'Centavos that came in.', examples: [10_000] }),
    status: z.enum(RECEIVED_PIX_STATUSES).meta({
      description:
        '`booked` as a payment; `open` for an administrator to resolve; `refunding` and `refunded` to its payer; `explained`.',
      examples: ['open'],
    }),
    reason: line(200, 'Why it is no payment, as a code.', 'paid_again').nullable(),
    sellerId: idSchema.nullable().meta({ description: 'Whose charge it paid.' }),
    paymentId: idSchema.nullable().meta({ description: 'The payment of that charge.' }),
    resolvedBy: idSchema.nullable().meta({ description: 'The administrator who resolved it.' }),
    explanation: line(500, 'What the administrator said.', 'Paid twice by the payer.').nullable(),
    receivedAt: timestampView.meta({ description: 'When it came in, by the clock of the provider.' }),
    createdAt: timestampView.meta({ description: 'When the platform heard of it.' }),
    updatedAt: timestampView,
  })
  .meta({ title: 'ReceivedPix', description: 'A Pix that reached the platform’s account.' })

export const receivedPixListResponse = listResponse(receivedPixResponse, 'received Pix')
