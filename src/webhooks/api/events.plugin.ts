import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { eventResponse, eventsQuery, eventsResponse } from './events.schemas.ts'
import type { EventsService } from './events.service.ts'

const tags = ['Webhooks']

export const eventsPlugin: FastifyPluginAsyncZod<{ events: EventsService }> = async (app, { events }) => {
  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'webhooks:read' },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'What happened in the last 30 days, newest first: what webhooks are told, for those who missed it.',
        tags,
        querystring: eventsQuery,
        response: { 200: eventsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await events.list(actorOf(request), request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'webhooks:read', errors: ['event.not_found'] },
      schema: {
        operationId: 'getEvent',
        summary: 'Get an event',
        description: 'The body of this event’s deliveries, byte for byte.',
        tags,
        params: idParams,
        response: { 200: eventResponse },
      },
    },
    async (request, reply) => {
      const { view, body } = await events.get(actorOf(request), request.params.id)
      return reply
        .type('application/json; charset=utf-8')
        .serializer(() => body)
        .send(view)
    },
  )
}
