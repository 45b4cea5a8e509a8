import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { sellerDetailResponse, sellersQuery, sellersResponse } from './sellers.schemas.ts'
import type { SellersService } from './sellers.service.ts'

const tags = ['Admin']

/** Sellers as administrators look after them. */
export const adminSellersPlugin: FastifyPluginAsyncZod<{ sellers: SellersService }> = async (app, { sellers }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listSellers',
        summary: 'List sellers',
        description: 'Newest first, each with their companies and what they can withdraw. Deleted ones are left out.',
        tags,
        querystring: sellersQuery,
        response: { 200: sellersResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await sellers.list(request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['seller.not_found'] },
      schema: {
        operationId: 'getSeller',
        summary: 'Get a seller',
        description:
          'The person, companies, balance, configurations, totals of the last 30 days and the newest events, in one answer.',
        tags,
        params: idParams,
        response: { 200: sellerDetailResponse },
      },
    },
    async (request) => sellers.get(request.params.id),
  )
}
