import { z } from 'zod'
import { RESERVE_DAYS_MAX, RESERVE_DAYS_MIN } from '../../domain/reserve.ts'
import { listResponse, pageFields } from '../../http/pagination.ts'
import { idSchema, percentageSchema, periodFields, timestampView } from '../../http/primitives.schemas.ts'

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
    sellerEmail: z
      .string()
      .max(254)
      .meta({ description: "Seller's e-mail.", examples: ['maria@example.com'] }),
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
  .meta({ description: "Which part of a seller's money is held back, and for how long." })

export const reserveConfigsResponse = listResponse(reserveConfigResponse, 'reserve configurations')

export const reserveConfigsQuery = z.strictObject({
  ...pageFields,
  ...periodFields,
  sellerId: idSchema.optional().meta({ description: 'Only the configuration of this seller.' }),
})

export type UpdateReserveConfigBody = z.output<typeof updateReserveConfigBody>
export type ReserveConfigsQuery = z.output<typeof reserveConfigsQuery>
