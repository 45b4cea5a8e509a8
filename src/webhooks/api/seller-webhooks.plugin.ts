import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  createWebhookBody,
  createWebhookResponse,
  rotateSecretBody,
  secretResponse,
  updateWebhookBody,
  webhookResponse,
  webhooksQuery,
  webhooksResponse,
} from './seller-webhooks.schemas.ts'
import type { SellerWebhooksService } from './seller-webhooks.service.ts'

type Options = { sellerWebhooks: SellerWebhooksService }

const tags = ['Webhooks']

export const sellerWebhooksPlugin: FastifyPluginAsyncZod<Options> = async (app, { sellerWebhooks }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:developer'],
        scope: 'webhooks:write',
        errors: ['webhook.limit_reached'],
        location: '/api/v1/seller-webhooks/{id}',
      },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Registers an address that is told what happens from now on. A name that does not resolve at the moment is accepted; every delivery judges it again. Up to 10 per seller.',
        tags,
        headers: idempotencyHeaders,
        body: createWebhookBody,
        response: { 201: createWebhookResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await sellerWebhooks.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'webhooks:read' },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'One’s own webhooks, newest first.',
        tags,
        querystring: webhooksQuery,
        response: { 200: webhooksResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await sellerWebhooks.list(actorOf(request), request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'webhooks:read', errors: ['webhook.not_found'], conditional: true },
      schema: {
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        description: 'One of one’s own webhooks.',
        tags,
        params: idParams,
        response: { 200: webhookResponse },
      },
    },
    async (request) => sellerWebhooks.get(actorOf(request), request.params.id),
  )

  app.patch(
    '/:id',
    {
      config: {
        access: ['seller:developer'],
        scope: 'webhooks:write',
        errors: ['webhook.not_found'],
        conditional: true,
      },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description:
          'Changes what is sent and leaves the rest. Deliveries that waited while it was paused or disabled go on once it is enabled.',
        tags,
        params: idParams,
        body: updateWebhookBody,
        response: { 200: webhookResponse },
      },
    },
    async (request) =>
      sellerWebhooks.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: { access: ['seller:developer'], scope: 'webhooks:write', errors: ['webhook.not_found'] },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Nothing more is delivered to it; what waited is canceled.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'It is deleted.' }) },
      },
    },
    async (request, reply) => {
      await sellerWebhooks.remove(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/:id/secret',
    {
      // Reading is not enough: who has the secret can sign.
      config: { access: ['seller:developer'], scope: 'webhooks:write', errors: ['webhook.not_found'] },
      schema: {
        operationId: 'getWebhookSecret',
        summary: 'Get the signing secret',
        description: 'The secret that deliveries to this webhook are signed with.',
        tags,
        params: idParams,
        response: { 200: secretResponse },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return sellerWebhooks.getSecret(actorOf(request), request.params.id)
    },
  )

  app.post(
    '/:id/secret/rotate',
    {
      config: { access: ['seller:developer'], scope: 'webhooks:write', errors: ['webhook.not_found'] },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret',
        description:
          'Makes a new secret. The old one signs beside it for 24 more hours, or for as long as you say; with 0 it ends at once.',
        tags,
        params: idParams,
        body: rotateSecretBody,
        response: { 200: secretResponse },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return sellerWebhooks.rotateSecret(actorOf(request), request.params.id, request.body)
    },
  )
}
