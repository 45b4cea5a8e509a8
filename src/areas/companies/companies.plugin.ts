import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { companiesQuery, companiesResponse, companyBody, companyResponse } from './companies.schemas.ts'
import type { CompaniesService } from './companies.service.ts'

type Options = { companies: CompaniesService }

const tags = ['Companies']
/** A seller's own companies. */
export const companiesPlugin: FastifyPluginAsyncZod<Options> = async (app, { companies }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:owner'],
        scope: 'company:write',
        errors: ['company.cnpj_taken', 'company.quota_reached'],
        location: '/api/v1/companies/{id}',
      },
      schema: {
        operationId: 'createCompany',
        summary: 'Create a company',
        description:
          'The company awaits approval at once, unless `draft` is true. Tax numbers, phones and the CEP may carry their masks.',
        tags,
        headers: idempotencyHeaders,
        body: companyBody,
        response: { 201: companyResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await companies.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'company:read' },
      schema: {
        operationId: 'listCompanies',
        summary: 'List own companies',
        description: 'Newest first, deleted ones left out.',
        tags,
        querystring: companiesQuery,
        response: { 200: companiesResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await companies.list(actorOf(request), request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'company:read', errors: ['company.not_found'], conditional: true },
      schema: {
        operationId: 'getCompany',
        summary: 'Get a company',
        description: 'One of your own companies, with its documents and the state of its approval.',
        tags,
        params: idParams,
        response: { 200: companyResponse },
      },
    },
    async (request) => companies.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id',
    {
      config: {
        access: ['seller:owner'],
        scope: 'company:write',
        errors: ['company.not_found', 'company.cnpj_taken', 'company.cnpj_frozen', 'company.not_draft'],
        conditional: true,
      },
      schema: {
        operationId: 'replaceCompany',
        summary: 'Replace a company',
        description:
          'Replaces every field. A draft is submitted unless `draft` is true; a company that was rejected or sent back for changes awaits approval again; an approved one stays approved, and its CNPJ cannot change.',
        tags,
        params: idParams,
        body: companyBody,
        response: { 200: companyResponse },
      },
    },
    async (request) => companies.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['seller:owner'],
        scope: 'company:write',
        errors: ['company.not_found', 'company.balance_not_zero'],
      },
      schema: {
        operationId: 'deleteCompany',
        summary: 'Delete a company',
        description:
          'Frees the CNPJ. A company that was approved cannot be deleted while the platform holds money of its seller.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'It is deleted.' }) },
      },
    },
    async (request, reply) => {
      await companies.remove(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
