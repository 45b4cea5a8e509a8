import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idParams } from '../../http/primitives.schemas.ts'
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
        description: 'Sets what new payments hold back. What is held already keeps its amount and its date.',
        tags,
        params: idParams,
        body: updateReserveConfigBody,
        response: { 200: reserveConfigResponse },
      },
    },
    async (request) =>
      reserves.updateConfig(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )
}
