import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { providerCostsBody, providerCostsResponse } from './provider-costs.schemas.ts'
import type { ProviderCostsService } from './provider-costs.service.ts'

const tags = ['Admin']

export const adminProviderCostsPlugin: FastifyPluginAsyncZod<{ providerCosts: ProviderCostsService }> = async (
  app,
  { providerCosts },
) => {
  app.get(
    '',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listProviderCosts',
        summary: 'List what providers charge',
        description: 'By provider, method and installments.',
        tags,
        response: { 200: providerCostsResponse },
      },
    },
    async () => providerCosts.list(),
  )

  app.put(
    '',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'setProviderCosts',
        summary: 'Set what providers charge',
        description:
          'The whole table. What a payment costs is posted when it is paid, by the table of then: processes take a new one over within seconds.',
        tags,
        body: providerCostsBody,
        response: { 200: providerCostsResponse },
      },
    },
    async (request) => providerCosts.set(actorOf(request), request.body),
  )
}
