import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { disputeFeeParams, disputeFeeResponse, disputeFeesResponse, putDisputeFeeBody } from './dispute-fees.schemas.ts'
import type { DisputeFeesService } from './dispute-fees.service.ts'

const tags = ['Admin']

export const adminDisputeFeesPlugin: FastifyPluginAsyncZod<{ disputeFees: DisputeFeesService }> = async (
  app,
  { disputeFees },
) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listDisputeFees',
        summary: 'List dispute fees',
        description: 'What sellers are charged for disputes that they lose, by type.',
        tags,
        response: { 200: disputeFeesResponse },
      },
    },
    async () => disputeFees.list(),
  )

  app.put(
    '/:type',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'setDisputeFee',
        summary: 'Set a dispute fee',
        description:
          'A dispute keeps the fee that it was opened with. It is charged when the dispute is lost, also below zero, and given back when such a loss is undone.',
        tags,
        params: disputeFeeParams,
        body: putDisputeFeeBody,
        response: { 200: disputeFeeResponse },
      },
    },
    async (request) => disputeFees.set(actorOf(request), request.params.type, request.body),
  )
}
