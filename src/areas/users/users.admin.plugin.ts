import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import type { TotpService } from '../authentication/totp.service.ts'

/** What administrators do for people who cannot get in. */
export const adminUsersPlugin: FastifyPluginAsyncZod<{ totp: TotpService }> = async (app, { totp }) => {
  app.delete(
    '/:id/totp',
    {
      config: {
        access: ['admin:support'],
        stepUp: true,
        errors: ['user.not_found', 'totp.not_enabled', 'totp.own_account'],
      },
      schema: {
        operationId: 'resetTotp',
        summary: 'Take somebody’s second factor away',
        description:
          'For somebody who lost both the phone and the recovery codes, once you are sure who asks. All their sessions end; the password alone logs in, and they can set up a second factor again.',
        tags: ['Admin'],
        params: idParams,
        response: { 204: z.null().meta({ description: 'Logins need no code any more.' }) },
      },
    },
    async (request, reply) => {
      await totp.reset(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
