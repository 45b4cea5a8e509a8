import { z } from 'zod'
import { RESERVE_HOLD_STATUSES } from '../../domain/reserve-hold.ts'
import { listQuery, pageQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, idSchema, repeatable, timestampView } from '../../http/primitives.schemas.ts'
import { reserveHoldResponse } from './reserves.schemas.ts'

export const reserveHoldsResponse = listResponse(reserveHoldResponse, 'reserve holds')

const filters = {
  sellerId: idSchema.optional().meta({ description: 'Only the holds of this seller.' }),
  status: repeatable(RESERVE_HOLD_STATUSES),
}

export const reserveHoldsQuery = listQuery(filters, { cursors: true })

export const releaseReservesBody = z
  .strictObject({
    deactivate: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the configuration is deactivated with it, for new payments.', examples: [true] }),
  })
  .meta({ description: 'What becomes of the configuration.' })

export const reserveReleaseResponse = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the release.' }),
    sellerId: idSchema.meta({ description: 'Whose reserve it is.' }),
    reserveConfigId: idSchema.meta({ description: "The seller's configuration." }),
    requestedBy: idSchema.meta({ description: 'The administrator who asked for it first.' }),
    status: z
      .enum(['running', 'completed'])
      .meta({ description: 'completed: nothing that was held, and no dispute froze, is left.', examples: ['running'] }),
    releasedCount: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Holds that were released so far.', examples: [200] }),
    releasedAmount: amountView.meta({ description: 'What they gave back, in centavos.', examples: [198_000] }),
    createdAt: timestampView.meta({ description: 'When it was asked for.' }),
    updatedAt: timestampView.meta({ description: 'When it was last worked on or asked for.' }),
    completedAt: timestampView.nullable().meta({ description: 'When it was completed.' }),
  })
  .meta({
    title: 'ReserveRelease',
    description: 'The release of all that a seller has in reserve, and how far it has come.',
  })

export const reserveReleasesResponse = listResponse(reserveReleaseResponse, 'releases of reserves')

export const reserveReleasesQuery = pageQuery({})

export type ReserveHoldsQuery = z.output<typeof reserveHoldsQuery>
export type ReleaseReservesBody = z.output<typeof releaseReservesBody>
export type ReserveReleasesQuery = z.output<typeof reserveReleasesQuery>
