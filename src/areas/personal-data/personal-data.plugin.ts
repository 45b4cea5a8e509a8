import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { erasureResponse, payerCriterion } from './erasures.schemas.ts'
import type { ErasuresService } from './erasures.service.ts'
import { payerDataResponse } from './personal-data.schemas.ts'
import type { PersonalDataService } from './personal-data.service.ts'

type Options = { personalData: PersonalDataService; erasures: ErasuresService }

const tags = ['Customers']

/** What sellers do when somebody who paid them asks what is kept of them, or to be forgotten (LGPD, art. 18). */
export const personalDataPlugin: FastifyPluginAsyncZod<Options> = async (app, { personalData, erasures }) => {
  app.post(
    '/exports',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'customers:read' },
      schema: {
        operationId: 'exportPayerData',
        summary: 'Export what is kept about a payer',
        description:
          'Somebody who paid you, a customer or not: what your customers and payments tell of them, and where that was told to others. A POST, so that nobody’s document stands in an address. Reading it is written into the audit log.',
        tags,
        body: payerCriterion,
        response: { 200: payerDataResponse },
      },
    },
    async (request) => personalData.exportPayer(actorOf(request), request.body),
  )

  app.post(
    '/erasures',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'customers:write',
        errors: ['customer.not_found', 'payment.not_found'],
        location: '/api/v1/personal-data/erasures/{id}',
      },
      schema: {
        operationId: 'erasePayer',
        summary: 'Erase a payer',
        description:
          'Takes somebody who paid you out of your customers and payments at once, and soon after out of events, first answers and what webhooks answered; events that are sent again tell of nobody. With an e-mail address payments are looked for first. Ids, amounts, dates and states stay, and so do `description`, `externalReference` and `metadata` of payments, which are your own words. There is no way back.',
        tags,
        headers: idempotencyHeaders,
        body: payerCriterion,
        response: { 201: erasureResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await erasures.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '/erasures/:id',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'customers:read',
        errors: ['erasure.not_found'],
      },
      schema: {
        operationId: 'getErasure',
        summary: 'Get an erasure',
        description: 'How far it is. Evidence that it was done, which says nothing of who it was.',
        tags,
        params: idParams,
        response: { 200: erasureResponse },
      },
    },
    async (request) => erasures.get(actorOf(request), request.params.id),
  )
}
