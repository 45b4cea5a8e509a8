import { z } from 'zod'
import { EVENT_TYPES } from '../../events/event-types.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { idSchema, repeatable, timestampView } from '../../http/primitives.schemas.ts'

export const eventResponse = z
  .object({
    id: idSchema.meta({ description: 'Id of the event: the header webhook-id of its deliveries.' }),
    type: z
      .string()
      .max(100)
      .meta({ description: 'What happened.', examples: ['payment.paid'] }),
    createdAt: timestampView.meta({ description: 'When it happened.', examples: ['2026-11-21T13:05:12.481Z'] }),
    apiVersion: z
      .string()
      .max(20)
      .meta({ description: 'Version of the shape of data.', examples: ['2026-11-01'] }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The thing it happened to, as the API showed it at that moment, documents masked.' }),
  })
  .meta({ title: 'Event', description: 'Something that happened: the body of its deliveries.' })

export const eventsResponse = listResponse(eventResponse, 'events')

const filters = {
  type: repeatable(EVENT_TYPES).meta({ description: 'Only these types.', examples: [['payment.paid']] }),
}

export const eventsQuery = listQuery(filters, { cursors: true })

export type EventsQuery = z.output<typeof eventsQuery>
