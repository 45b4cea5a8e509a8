import { z } from 'zod'
import { DISPUTE_TYPES } from '../../domain/dispute.ts'
import { amountOrZeroSchema, amountView, timestampView } from '../../http/primitives.schemas.ts'

const type = z
  .enum(DISPUTE_TYPES)
  .meta({ description: 'The disputes that it is for: `med` of Pix, `chargeback` of cards.', examples: ['chargeback'] })

export const disputeFeeParams = z.strictObject({ type })

export const putDisputeFeeBody = z
  .strictObject({
    feeAmount: amountOrZeroSchema.meta({
      description: 'Centavos for a lost dispute. Zero: nothing.',
      examples: [2_500],
    }),
  })
  .meta({ description: 'What losing costs. It touches disputes that are opened from now on.' })

export const disputeFeeResponse = z
  .object({
    type,
    feeAmount: amountView.meta({ description: 'Centavos for a lost dispute.', examples: [2_500] }),
    updatedAt: timestampView.nullable().meta({ description: 'When it was set. Null: never.' }),
  })
  .meta({ title: 'DisputeFee', description: 'What the platform charges for a lost dispute.' })

export const disputeFeesResponse = z
  .object({ data: z.array(disputeFeeResponse).max(DISPUTE_TYPES.length).meta({ description: 'One per type.' }) })
  .meta({ title: 'DisputeFees', description: 'What lost disputes cost.' })

export type PutDisputeFeeBody = z.output<typeof putDisputeFeeBody>
