import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { EVENT_TYPES } from '../../events/event-types.ts'
import { idSchema, timestampView } from '../../http/primitives.schemas.ts'
import { withdrawalEventCatalogue } from './withdrawal-events.catalogue.ts'
import type { WithdrawalEventType } from './withdrawals.events.ts'
import { withdrawalResponse } from './withdrawals.schemas.ts'

const TYPES = EVENT_TYPES.filter((type): type is WithdrawalEventType => type.startsWith('withdrawal.'))

const typeField = z.enum(TYPES).meta({ description: 'Type of the event.', examples: ['withdrawal.completed'] })

const exampleView = z
  .object({
    id: idSchema.meta({ description: 'Id of the event, the same in every delivery: `webhook-id`.' }),
    type: typeField,
    createdAt: timestampView.meta({ description: 'When it happened.' }),
    apiVersion: z
      .string()
      .max(20)
      .meta({ description: 'Version of the shape of event bodies.', examples: ['2026-11-01'] }),
    data: withdrawalResponse.meta({ description: 'The withdrawal after it, with its Pix key masked.' }),
  })
  .meta({ description: 'A body as a webhook gets it.' })

const catalogueResponse = z.object({
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
    async () => withdrawalEventCatalogue(),
  )
}
