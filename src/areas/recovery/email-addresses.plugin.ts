import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import type { EmailAddressesService } from './email-addresses.service.ts'
import { changeEmailBody, NOTHING } from './recovery.schemas.ts'

type Options = { emailAddresses: EmailAddressesService }

/** The address that one logs in with. */
export const emailAddressesPlugin: FastifyPluginAsyncZod<Options> = async (app, { emailAddresses }) => {
  app.put(
    '/:id/email',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        rateLimit: 'tight',
        errors: ['user.not_found', 'auth.step_up_required'],
      },
      schema: {
        operationId: 'changeEmail',
        summary: 'Ask for another e-mail address',
        description:
          'Sends a link to the new address. When it is confirmed with `POST /auth/email/verify` it takes the place of the old one, which is told. The answer is the same for an address that another account has. The address that one has already gets a new link while it is not verified.',
        tags: ['Users'],
        params: idParams,
        body: changeEmailBody,
        response: { 202: z.null().meta({ description: 'A mail to the new address is on its way.' }) },
      },
    },
    async (request, reply) => {
      await emailAddresses.askForChange(actorOf(request), request.params.id, request.body)
      return reply.code(202).send(NOTHING)
    },
  )
}
