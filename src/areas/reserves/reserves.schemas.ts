import { z } from 'zod'
import { RESERVE_DAYS_MAX, RESERVE_DAYS_MIN } from '../../domain/reserve.ts'
import { RELEASE_REASONS, RESERVE_HOLD_STATUSES } from '../../domain/reserve-hold.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, emailView, idSchema, percentageSchema, timestampView } from '../../http/primitives.schemas.ts'

const reservePercentage = percentageSchema.meta({
  description: "Percentage of each payment's net that is held in reserve when it becomes available.",
  examples: [10.5],
})

const reserveDays = z
  .number()
  .int()
  .min(RESERVE_DAYS_MIN)
  .max(RESERVE_DAYS_MAX)
  .meta({ description: 'Number of days the reserve is held.', examples: [30] })

const isActive = z.boolean().meta({ description: 'Whether the configuration applies.', examples: [true] })

export const updateReserveConfigBody = z
  .strictObject({ reservePercentage, reserveDays, isActive })
  .meta({ description: 'The whole configuration. It touches new payments only.' })

export const reserveConfigResponse = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the configuration.' }),
    sellerId: idSchema.meta({ description: 'Identifier of the seller.' }),
    sellerName: z
      .string()
      .max(200)
      .meta({ description: "Seller's name.", examples: ['Maria da Silva'] }),
    sellerEmail: emailView.meta({ description: "Seller's e-mail.", examples: ['maria@example.com'] }),
    reservePercentage: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Percentage held in reserve, with up to two decimals.', examples: [10.5] }),
    reserveDays,
    isActive,
    createdAt: timestampView.meta({ description: 'Creation time.' }),
    updatedAt: timestampView.meta({ description: 'Time of the last update.' }),
  })
  .meta({ title: 'ReserveConfig', description: "Which part of a seller's money is held back, and for how long." })

export const reserveConfigsResponse = listResponse(reserveConfigResponse, 'reserve configurations')

export const reserveConfigsQuery = listQuery({
  sellerId: idSchema.optional().meta({ description: 'Only the configuration of this seller.' }),
})

export type UpdateReserveConfigBody = z.output<typeof updateReserveConfigBody>
export type ReserveConfigsQuery = z.output<typeof reserveConfigsQuery>

/** A part of a payment that is held back, as administrators and events tell it. */
export const reserveHoldResponse = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the hold.' }),
    sellerId: idSchema.meta({ description: 'Whose money it is.' }),
    paymentId: idSchema.meta({ description: 'The payment it was taken from.' }),
    amount: amountView.meta({ description: 'Centavos that were held back.', examples: [990] }),
    releasedAmount: amountView.meta({ description: 'Centavos of it that are available again.', examples: [0] }),
    consumedAmount: amountView.meta({ description: 'Centavos of it that refunds and disputes took.', examples: [0] }),
    remainingAmount: amountView.meta({ description: 'Centavos that are still held back.', examples: [990] }),
    status: z.enum(RESERVE_HOLD_STATUSES).meta({ description: 'Where it stands.', examples: ['held'] }),
    heldAt: timestampView.meta({ description: 'Since when it is held back.' }),
    releaseAt: timestampView.meta({ description: 'When it is due to be released.' }),
  })
  .meta({ title: 'ReserveHold', description: 'A part of a payment that is held back.' })

export const releasedHoldResponse = reserveHoldResponse
  .extend({
    reason: z.enum(RELEASE_REASONS).meta({
      description: 'due: its day had come. early: an administrator released it before.',
      examples: ['due'],
    }),
    releasedAt: timestampView.meta({ description: 'When it was released.' }),
  })
  .meta({ title: 'ReleasedReserveHold', description: 'A part of a payment that was held back until now.' })
