import { z } from 'zod'
import { idSchema, timestampView } from '../../http/primitives.schemas.ts'
import { payerBody } from '../payments/payments.schemas.ts'
import type { Payer } from './erase-payers.ts'

const { document, email } = payerBody.shape
const CRITERIA = ['customerId', 'document', 'email', 'paymentId'] as const

/** Who is meant: one field, and only one. */
export const payerCriterion = z
  .strictObject({
    customerId: idSchema.optional().meta({ description: 'A customer of yours, with all of their payments.' }),
    document: document.unwrap().unwrap().optional(),
    email: email.unwrap().unwrap().optional(),
    paymentId: idSchema.optional().meta({ description: 'The payer of this payment, as far as it tells of them.' }),
  })
  .refine((criteria) => CRITERIA.filter((name) => criteria[name] !== undefined).length === 1, {
    message: 'must name exactly one of customerId, document, email and paymentId',
  })
  .transform((criteria) => criteria as Payer)
  .meta({
    description: 'Who is meant, of those who paid you: exactly one of these.',
    examples: [{ document: '529.982.247-25' }],
  })

const count = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [example] })

export const erasureResponse = z
  .object({
    id: idSchema,
    status: z.enum(['processing', 'completed']).meta({
      description: 'While `processing`, events and first answers from before may still tell of the person.',
      examples: ['completed'],
    }),
    customersCount: count('How many customers were anonymised.', 1),
    paymentsCount: count('On how many payments the payer was anonymised.', 3),
    createdAt: timestampView,
    completedAt: timestampView.nullable().meta({ description: 'When the last copy was done with. Null until then.' }),
  })
  .meta({ title: 'Erasure', description: 'That a payer was erased. It says nothing of who it was.' })
