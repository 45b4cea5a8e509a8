import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  deliveriesQuery,
  deliveriesResponse,
  deliveryParams,
  deliveryResponse,
  recoverBody,
  recoveryResponse,
} from './seller-webhooks.schemas.ts'
import type { WebhookDeliveriesService } from './webhook-deliveries.service.ts'

type Options = { webhookDeliveries: WebhookDeliveriesService }

const tags = ['Webhooks']

export const webhookDeliveriesPlugin: FastifyPluginAsyncZod<Options> = async (app, { webhookDeliveries }) => {
  app.post(
    '/:id/test',
    {
      config: {
        access: ['seller:developer'],
        scope: 'webhooks:write',
        errors: ['webhook.not_found', 'webhook.not_enabled'],
      },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Sends a webhook.test event to this webhook only, by the same way as every other delivery but before all of them, and also while failures have paused it. The list of deliveries shows what came of it, and `health` of the webhook why not.',
        tags,
        params: idParams,
        headers: idempotencyHeaders,
        response: { 202: deliveryResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await webhookDeliveries.test(actorOf(request), request.params.id, idempotencyOf(request))),
  )

  app.get(
    '/:id/deliveries',
    {
      config: { access: ['seller:viewer'], scope: 'webhooks:read', errors: ['webhook.not_found'] },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries',
        description: 'What was and will be sent to this webhook in the last 30 days, newest first, with every attempt.',
        tags,
        params: idParams,
        querystring: deliveriesQuery,
        response: { 200: deliveriesResponse },
      },
    },
    async (request, reply) => {
      const list = await webhookDeliveries.list(actorOf(request), request.params.id, request.query)
      return linkPages(request, reply, list, { cursors: true })
    },
  )

  app.post(
    '/:id/deliveries/:deliveryId/resend',
    {
      config: {
        access: ['seller:developer'],
        scope: 'webhooks:write',
        errors: ['webhook.not_found', 'webhook_delivery.not_found'],
      },
      schema: {
        operationId: 'resendWebhookDelivery',
        summary: 'Send an event again',
        description: 'Makes a new delivery of the same event with the same webhook-id.',
        tags,
        params: deliveryParams,
        headers: idempotencyHeaders,
        response: { 202: deliveryResponse },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params
      return reply
        .code(202)
        .send(await webhookDeliveries.resend(actorOf(request), id, deliveryId, idempotencyOf(request)))
    },
  )

  app.post(
    '/:id/recover',
    {
      config: {
        access: ['seller:developer'],
        scope: 'webhooks:write',
        errors: ['webhook.not_found', 'webhook.recovery_running'],
      },
      schema: {
        operationId: 'recoverWebhook',
        summary: 'Send missed events again',
        description:
          'Sends every event since then that this webhook listens to and has not received, also those from before it was made. Works in the background; asking again answers how far it is.',
        tags,
        params: idParams,
        headers: idempotencyHeaders,
        body: recoverBody,
        response: { 202: recoveryResponse },
      },
    },
    async (request, reply) => {
      const { since } = request.body
      const recovery = await webhookDeliveries.recover(
        actorOf(request),
        request.params.id,
        since,
        idempotencyOf(request),
      )
      return reply.code(202).send(recovery)
    },
  )
}
