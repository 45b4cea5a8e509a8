import { z } from 'zod'
import { pageQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { idSchema, text, timestampView } from '../../http/primitives.schemas.ts'
import { cardTokenField } from '../payments/payments.schemas.ts'

const VERSION_MAX = 60

export const saveCardBody = z
  .strictObject({
    cardToken: cardTokenField,
    consent: z
      .boolean()
      .refine((agreed) => agreed, 'must be true')
      .meta({
        description:
          'That the payer agreed to this card being kept for later payments: true. Without it nothing is kept.',
        examples: [true],
      }),
    consentTextVersion: text(VERSION_MAX)
      .optional()
      .meta({ description: 'Which of your texts the payer agreed to, by your own name.', examples: ['cards-2026-11'] }),
  })
  .meta({ description: 'A card to keep for a customer.' })

export type SaveCardBody = z.output<typeof saveCardBody>

const customerId = idSchema.meta({ description: 'The customer.' })

export const customerParams = z.strictObject({ customerId })

export const savedCardParams = z.strictObject({
  customerId,
  cardId: idSchema.meta({ description: 'The saved card.' }),
})

export const savedCardsQuery = pageQuery({})
export type SavedCardsQuery = z.output<typeof savedCardsQuery>

const shown = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] })

const whole = (min: number, max: number, description: string, example: number) =>
  z
    .number()
    .int()
    .min(min)
    .max(max)
    .meta({ description, examples: [example] })

export const savedCardResponse = z
  .object({
    id: idSchema.meta({ description: 'Names it as `cardId` of a payment.' }),
    customerId: idSchema.meta({ description: 'Whose card it is.' }),
    provider: shown(40, 'Who keeps it, and charges it.', 'sandbox'),
    brand: shown(30, 'Brand.', 'visa'),
    last4: shown(4, 'Last four digits.', '0001'),
    expMonth: whole(1, 12, 'Month of expiry.', 12),
    expYear: whole(2_000, 2_200, 'Year of expiry. It can be charged to the end of its month.', 2_030),
    consentedAt: timestampView.meta({ description: 'When you said that the payer had agreed.' }),
    consentTextVersion: shown(VERSION_MAX, 'Which of your texts they agreed to.', 'cards-2026-11').nullable(),
    createdAt: timestampView,
  })
  .meta({ title: 'SavedCard', description: 'A customer’s card that the provider keeps. Nobody here has its number.' })

export const savedCardsResponse = listResponse(savedCardResponse, 'saved cards')
