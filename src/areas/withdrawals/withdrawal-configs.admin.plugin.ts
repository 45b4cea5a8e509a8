import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  updateWithdrawalConfigBody,
  withdrawalConfigResponse,
  withdrawalConfigsQuery,
  withdrawalConfigsResponse,
} from './withdrawal-configs.schemas.ts'
import type { WithdrawalConfigsService } from './withdrawal-configs.service.ts'

const tags = ['Admin']

export const adminWithdrawalConfigsPlugin: FastifyPluginAsyncZod<{
  withdrawalConfigs: WithdrawalConfigsService
}> = async (app, { withdrawalConfigs }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listWithdrawalConfigs',
        summary: 'List withdrawal configurations',
        description: 'The withdrawal configurations of all sellers, newest first.',
        tags,
        querystring: withdrawalConfigsQuery,
        response: { 200: withdrawalConfigsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await withdrawalConfigs.list(request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['withdrawal_config.not_found'], conditional: true },
      schema: {
        operationId: 'getWithdrawalConfig',
        summary: 'Get a withdrawal configuration',
        description: 'One withdrawal configuration by its id.',
        tags,
        params: idParams,
        response: { 200: withdrawalConfigResponse },
      },
    },
    async (request) => withdrawalConfigs.get(request.params.id),
  )

  app.put(
    '/:id',
    {
      config: { access: ['admin:finance'], errors: ['withdrawal_config.not_found'], conditional: true },
      schema: {
        operationId: 'updateWithdrawalConfig',
        summary: 'Update a withdrawal configuration',
        description:
          'Sets what new withdrawals may be and what they cost. Where the approval policy asks for two administrators it answers 202, and holds when another one approves it.',
        tags,
        params: idParams,
        body: updateWithdrawalConfigBody,
        response: { 200: withdrawalConfigResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const [actor, precondition] = [actorOf(request), preconditionOf(request)]
      const { waits, view } = await withdrawalConfigs.update(actor, request.params.id, request.body, precondition)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )
}
