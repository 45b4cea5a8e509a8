import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { statusResponse } from './status.schemas.ts'
import type { StatusService } from './status.service.ts'

/** What anybody may know of how the platform does. */
export const statusPlugin: FastifyPluginAsyncZod<{ status: StatusService }> = async (app, { status }) => {
  app.get(
    '',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getStatus',
        summary: 'Get the status of the platform',
        description: 'Answers 200 also when a component does not work: the body says which.',
        tags: ['Status'],
        response: { 200: statusResponse },
      },
    },
    async () => status.getStatus(),
  )
}
