import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { putVelocityRulesBody, velocityRulesResponse } from './velocity.schemas.ts'
import type { VelocityService } from './velocity.service.ts'

const tags = ['Admin']

/** How fast cards may be tried on payment links. */
export const adminVelocityRulesPlugin: FastifyPluginAsyncZod<{ velocity: VelocityService }> = async (
  app,
  { velocity },
) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listVelocityRules',
        summary: 'See the velocity rules',
        description: 'How many declined cards a payment link, a card and an address may have before they wait.',
        tags,
        response: { 200: velocityRulesResponse },
      },
    },
    async () => velocity.list(),
  )

  app.put(
    '',
    {
      config: { access: ['admin:risk'] },
      schema: {
        operationId: 'replaceVelocityRules',
        summary: 'Change velocity rules',
        description: 'The rules of the subjects that are sent hold from the next card on. Waits that run go on.',
        tags,
        body: putVelocityRulesBody,
        response: { 200: velocityRulesResponse },
      },
    },
    async (request) => velocity.replace(actorOf(request), request.body),
  )
}
