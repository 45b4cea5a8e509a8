import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  reserveConfigResponse,
  reserveConfigsQuery,
  reserveConfigsResponse,
  updateReserveConfigBody,
} from './reserves.schemas.ts'
import type { ReservesService } from './reserves.service.ts'

const tags = ['Admin']

export const adminReserveConfigsPlugin: FastifyPluginAsyncZod<{ reserves: ReservesService }> = async (
  app,
  { reserves },
) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listReserveConfigs',
        summary: 'List reserve configurations',
        description: 'The reserve configurations of all sellers, newest first.',
        tags,
        querystring: reserveConfigsQuery,
        response: { 200: reserveConfigsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await reserves.listConfigs(request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['reserve_config.not_found'], conditional: true },
      schema: {
        operationId: 'getReserveConfig',
        summary: 'Get a reserve configuration',
        description: 'One reserve configuration by its id.',
        tags,
        params: idParams,
        response: { 200: reserveConfigResponse },
      },
    },
    async (request) => reserves.getConfig(request.params.id),
  )

  app.put(
    '/:id',
    {
      config: { access: ['admin:finance'], errors: ['reserve_config.not_found'], conditional: true },
      schema: {
        operationId: 'updateReserveConfig',
        summary: 'Update a reserve configuration',
        description:
          'Sets what new payments hold back. What is held already keeps its amount and its date. Where the approval policy asks for two administrators it answers 202, and holds when another one approves it.',
        tags,
        params: idParams,
        body: updateReserveConfigBody,
        response: { 200: reserveConfigResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const [actor, precondition] = [actorOf(request), preconditionOf(request)]
      const { waits, view } = await reserves.updateConfig(actor, request.params.id, request.body, precondition)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )
}
