import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import {
  customerParams,
  saveCardBody,
  savedCardParams,
  savedCardResponse,
  savedCardsQuery,
  savedCardsResponse,
} from './saved-cards.schemas.ts'
import type { SavedCardsService } from './saved-cards.service.ts'

const tags = ['Customers']
const reads = { access: ['seller:viewer'], scope: 'customers:read' } as const
const writes = { access: ['seller:finance', 'seller:developer'], scope: 'customers:write' } as const

/** Under a customer: /customers/{id}/cards. */
export const savedCardsPlugin: FastifyPluginAsyncZod<{ savedCards: SavedCardsService }> = async (
  app,
  { savedCards },
) => {
  app.post(
    '/:customerId/cards',
    {
      config: {
        ...writes,
        errors: [
          'customer.not_found',
          'card.expired',
          'card.token_refused',
          'card.limit_reached',
          'card.saving_unavailable',
          'payment.provider_unavailable',
        ],
        location: '/api/v1/customers/{customerId}/cards/{id}',
      },
      schema: {
        operationId: 'saveCard',
        summary: 'Save a card',
        description:
          'Has the provider keep the card behind a token, so that the customer need not type it in again: charge it with `cardId`. Only with the payer’s consent, which is written down. Send an `Idempotency-Key`: where the provider did not answer, the repeat goes on with the same card.',
        tags,
        params: customerParams,
        headers: idempotencyHeaders,
        body: saveCardBody,
        response: { 201: savedCardResponse },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await savedCards.save(actorOf(request), request.params.customerId, request.body, idempotencyOf(request))),
  )

  app.get(
    '/:customerId/cards',
    {
      config: { ...reads, errors: ['customer.not_found'] },
      schema: {
        operationId: 'listSavedCards',
        summary: 'List a customer’s saved cards',
        description: 'Newest first, deleted ones left out.',
        tags,
        params: customerParams,
        querystring: savedCardsQuery,
        response: { 200: savedCardsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await savedCards.list(actorOf(request), request.params.customerId, request.query)),
  )

  app.get(
    '/:customerId/cards/:cardId',
    {
      config: { ...reads, errors: ['customer.not_found', 'card.not_found'] },
      schema: {
        operationId: 'getSavedCard',
        summary: 'Get a saved card',
        description: 'One of a customer’s cards. A deleted one is gone.',
        tags,
        params: savedCardParams,
        response: { 200: savedCardResponse },
      },
    },
    async (request) => savedCards.get(actorOf(request), request.params.customerId, request.params.cardId),
  )

  app.delete(
    '/:customerId/cards/:cardId',
    {
      config: { ...writes, errors: ['customer.not_found', 'card.not_found'] },
      schema: {
        operationId: 'deleteSavedCard',
        summary: 'Delete a saved card',
        description:
          'From then on nobody can charge it, and the provider is told to forget it. Deleting it twice changes nothing.',
        tags,
        params: savedCardParams,
        response: { 204: z.null().meta({ description: 'The card is deleted.' }) },
      },
    },
    async (request, reply) => {
      await savedCards.remove(actorOf(request), request.params.customerId, request.params.cardId)
      return reply.code(204).send(null)
    },
  )
}
