import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { exampleBody, listEntries } from '../../events/event-catalogue.ts'
import { EVENT_TYPES } from '../../events/event-types.ts'
import { eventEnvelope } from '../../http/event-envelope.schemas.ts'
import { withdrawalEvents } from './withdrawal-events.catalogue.ts'
import type { WithdrawalEventType } from './withdrawals.events.ts'
import { withdrawalResponse } from './withdrawals.schemas.ts'

const TYPES = EVENT_TYPES.filter((type): type is WithdrawalEventType => type.startsWith('withdrawal.'))

const typeField = z.enum(TYPES).meta({ description: 'Type of the event.', examples: ['withdrawal.completed'] })

const exampleView = z
  .object({
    ...eventEnvelope(typeField),
    data: withdrawalResponse.meta({ description: 'The withdrawal after it, with its Pix key masked.' }),
  })
  .meta({ title: 'WithdrawalEventExample', description: 'A body as a webhook gets it.' })

const catalogueResponse = z
  .object({
    events: z
      .array(
        z.object({
          type: typeField,
          description: z
            .string()
            .max(300)
            .meta({ description: 'What happened.', examples: ['The money arrived at the Pix key.'] }),
          example: exampleView,
        }),
      )
      .max(TYPES.length)
      .meta({ description: 'Every event of a withdrawal, in the order of its life.' }),
  })
  .meta({ title: 'WithdrawalEvents', description: 'Every event of withdrawals, with an example.' })

const catalogue = {
  events: listEntries(withdrawalEvents).map(([type, entry]) => ({
    type,
    description: entry.description,
    example: exampleBody(type, entry) as z.output<typeof exampleView>,
  })),
}

/** What webhooks are told of withdrawals, for those who build a receiver. */
export const withdrawalEventsPlugin: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/withdrawal-events',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'listWithdrawalEvents',
        summary: 'List the events of withdrawals',
        description: 'Every event with an example made by the code that sends it.',
        tags: ['Status'],
        response: { 200: catalogueResponse },
      },
    },
    async () => catalogue,
  )
}
