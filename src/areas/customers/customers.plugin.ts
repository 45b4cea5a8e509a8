import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { customerBody, customerResponse, customersQuery, customersResponse } from './customers.schemas.ts'
import type { CustomersService } from './customers.service.ts'

type Options = { customers: CustomersService }

const tags = ['Customers']

/** The people and companies who pay a seller. */
export const customersPlugin: FastifyPluginAsyncZod<Options> = async (app, { customers }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'customers:write',
        errors: ['customer.document_taken'],
        location: '/api/v1/customers/{id}',
      },
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        description:
          'A document belongs to one customer of a seller. Documents, phones and the CEP may carry their masks.',
        tags,
        headers: idempotencyHeaders,
        body: customerBody,
        response: { 201: customerResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await customers.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'customers:read' },
      schema: {
        operationId: 'listCustomers',
        summary: 'List own customers',
        description: 'Newest first, deleted ones left out.',
        tags,
        querystring: customersQuery,
        response: { 200: customersResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await customers.list(actorOf(request), request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'customers:read', errors: ['customer.not_found'], conditional: true },
      schema: {
        operationId: 'getCustomer',
        summary: 'Get a customer',
        description: 'One of your own customers. A deleted one is gone.',
        tags,
        params: idParams,
        response: { 200: customerResponse },
      },
    },
    async (request) => customers.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'customers:write',
        errors: ['customer.not_found', 'customer.document_taken'],
        conditional: true,
      },
      schema: {
        operationId: 'replaceCustomer',
        summary: 'Replace a customer',
        description:
          'Replaces every field: what is left out is taken away. Payments keep what they knew of the payer when they were made.',
        tags,
        params: idParams,
        body: customerBody,
        response: { 200: customerResponse },
      },
    },
    async (request) => customers.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'customers:write',
        errors: ['customer.not_found'],
      },
      schema: {
        operationId: 'deleteCustomer',
        summary: 'Delete a customer',
        description:
          'Anonymises for good: name, document, contact data, address, reference and metadata, here and on the customer’s payments. The payments stay, with their amounts. The document becomes free.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'The customer is anonymised.' }) },
      },
    },
    async (request, reply) => {
      await customers.remove(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
