import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { adminDisputeResponse, adminDisputesResponse, listAllDisputesQuery } from './disputes.schemas.ts'
import type { DisputesService } from './disputes.service.ts'

const tags = ['Admin']

export const adminDisputesPlugin: FastifyPluginAsyncZod<{ disputes: DisputesService }> = async (app, { disputes }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAllDisputes',
        summary: 'List all disputes',
        description: 'Disputes of all sellers, newest first, with who each seller is.',
        tags,
        querystring: listAllDisputesQuery,
        response: { 200: adminDisputesResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await disputes.listAll(request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['dispute.not_found'] },
      schema: {
        operationId: 'getAnyDispute',
        summary: 'Get any dispute',
        description: 'A dispute of any seller, with its defence.',
        tags,
        params: idParams,
        response: { 200: adminDisputeResponse },
      },
    },
    async (request) => disputes.getAny(actorOf(request), request.params.id),
  )
}
