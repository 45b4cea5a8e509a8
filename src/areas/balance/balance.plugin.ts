import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { balanceResponse } from './balance.schemas.ts'
import type { BalanceService } from './balance.service.ts'

export const balancePlugin: FastifyPluginAsyncZod<{ balance: BalanceService }> = async (app, { balance }) => {
  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'balance:read' },
      schema: {
        operationId: 'getBalance',
        summary: 'Get the balance',
        description: 'What the seller has, by bucket, and what becomes available when.',
        tags: ['Balance'],
        response: { 200: balanceResponse },
      },
    },
    async (request) => balance.get(actorOf(request)),
  )
}
