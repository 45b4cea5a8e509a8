import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  createPaymentLinkBody,
  paymentLinkResponse,
  paymentLinksQuery,
  paymentLinksResponse,
  updatePaymentLinkBody,
} from './payment-links.schemas.ts'
import type { PaymentLinksService } from './payment-links.service.ts'

type Options = { paymentLinks: PaymentLinksService }

const tags = ['Payment links']

/** What sellers do with their payment links. */
export const paymentLinksPlugin: FastifyPluginAsyncZod<Options> = async (app, { paymentLinks }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payment_links:write',
        errors: ['seller.not_approved'],
        location: '/api/v1/payment-links/{id}/details',
      },
      schema: {
        operationId: 'createPaymentLink',
        summary: 'Create a payment link',
        description: 'Answers with its `url`: a page on which anybody can pay. Share it as it is, or as a QR code.',
        tags,
        headers: idempotencyHeaders,
        body: createPaymentLinkBody,
        response: { 201: paymentLinkResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await paymentLinks.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'payment_links:read' },
      schema: {
        operationId: 'listPaymentLinks',
        summary: 'List payment links',
        description: 'Your links, newest first. Deleted ones are left out unless `status` asks for them.',
        tags,
        querystring: paymentLinksQuery,
        response: { 200: paymentLinksResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await paymentLinks.list(actorOf(request), request.query)),
  )

  app.get(
    '/:id/details',
    {
      config: {
        access: ['seller:viewer'],
        scope: 'payment_links:read',
        errors: ['payment_link.not_found'],
        conditional: true,
      },
      schema: {
        operationId: 'getPaymentLinkDetails',
        summary: 'Get a payment link of one’s own',
        description:
          'One of your links by its id, whole, also a deleted one. What payers see of it is `GET /payment-links/{hash}`.',
        tags,
        params: idParams,
        response: { 200: paymentLinkResponse },
      },
    },
    async (request) => paymentLinks.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payment_links:write',
        errors: ['payment_link.not_found', 'payment_link.limit_too_low'],
        conditional: true,
      },
      schema: {
        operationId: 'replacePaymentLink',
        summary: 'Replace a payment link',
        description:
          'Replaces every field: what is left out is taken away. Payments that exist keep their amount and their time; only new ones are made by the new terms. An expired or completed link takes payments again once its `expiresAt` or its `maxPayments` is moved.',
        tags,
        params: idParams,
        body: updatePaymentLinkBody,
        response: { 200: paymentLinkResponse },
      },
    },
    async (request) => paymentLinks.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payment_links:write',
        errors: ['payment_link.not_found'],
      },
      schema: {
        operationId: 'deletePaymentLink',
        summary: 'Delete a payment link',
        description: 'Payers are told that it is gone. Its payments stay, and those that were begun can still be paid.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'The link takes no payments any more.' }) },
      },
    },
    async (request, reply) => {
      await paymentLinks.remove(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
