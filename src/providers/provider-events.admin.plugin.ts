import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listQuery } from '../http/list-query.schemas.ts'
import { linkPages, listResponse } from '../http/pagination.ts'
import { actorOf } from '../http/plugins/access.ts'
import { idParams, idSchema, repeatable, timestampView } from '../http/primitives.schemas.ts'
import type { ProviderEventsService } from './provider-events.service.ts'
import { PROVIDER_EVENT_STATUSES } from './provider-events.statuses.ts'

const tags = ['Admin']

const count = (description: string) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [1] })

const providerEventResponse = z
  .object({
    id: idSchema,
    provider: z
      .string()
      .max(40)
      .meta({ description: 'Who sent it.', examples: ['sandbox'] }),
    status: z.enum(PROVIDER_EVENT_STATUSES).meta({ description: 'What became of it.', examples: ['processed'] }),
    failure: z
      .string()
      .max(200)
      .nullable()
      .meta({ description: 'Why it changed nothing.', examples: ['already_paid'] }),
    body: z
      .string()
      .max(300_000)
      .meta({
        description: 'The body as it came in; once it is processed without what names people.',
        examples: ['{"id":"…"}'],
      }),
    bodyHash: z
      .string()
      .max(64)
      .meta({ description: 'SHA-256 of the body as it came in, in hex.', examples: ['9f86d081884c7d65'] }),
    timesReceived: count('How often the same body came in.'),
    attempts: count('How often it was worked on.'),
    nextAttemptAt: timestampView.nullable().meta({ description: 'When it is tried again. Null: by nobody but you.' }),
    receivedAt: timestampView,
    processedAt: timestampView.nullable(),
  })
  .meta({ title: 'ProviderEvent', description: 'A callback of a payment provider.' })

const providerEventsQuery = listQuery({ status: repeatable(PROVIDER_EVENT_STATUSES) })

type Options = { providerEvents: ProviderEventsService }

const replayRoute = (operationId: string) => ({
  config: {
    access: ['admin:finance' as const, 'admin:support' as const],
    errors: ['provider_event.not_found', 'provider_event.already_processed'],
  },
  schema: {
    operationId,
    summary: 'Process a callback of a provider again',
    description:
      'For one that was not processed. Answers what became of it this time. Both paths of this operation do the same.',
    tags,
    params: idParams,
    response: { 200: providerEventResponse },
  },
})

export const adminProviderEventsPlugin: FastifyPluginAsyncZod<Options> = async (app, { providerEvents }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listProviderEvents',
        summary: 'List callbacks of providers',
        description: 'What came in from payment providers, newest first. Filter for `unmatched` and `failed`.',
        tags,
        querystring: providerEventsQuery,
        response: { 200: listResponse(providerEventResponse, 'provider events') },
      },
    },
    async (request, reply) => linkPages(request, reply, await providerEvents.list(request.query)),
  )

  app.post('/:id/replay', replayRoute('replayProviderEvent'), async (request) =>
    providerEvents.replay(actorOf(request), request.params.id),
  )
}

/** The second path of replaying a callback: what providers send us are webhooks, too. */
export const adminWebhookEventsPlugin: FastifyPluginAsyncZod<Options> = async (app, { providerEvents }) => {
  app.post('/:id/replay', replayRoute('replayWebhookEvent'), async (request) =>
    providerEvents.replay(actorOf(request), request.params.id),
  )
}
