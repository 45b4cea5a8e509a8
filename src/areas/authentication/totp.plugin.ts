import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  beginTotpBody,
  beginTotpResponse,
  confirmTotpBody,
  confirmTotpResponse,
  disableTotpBody,
  totpResponse,
} from './totp.schemas.ts'
import type { TotpService } from './totp.service.ts'

const tags = ['Users']
const own = {
  access: ['seller:viewer', 'admin:viewer'],
  scope: 'interactive',
  secondFactor: 'none',
  rateLimit: 'tight',
} as const

/** The second factor of one's own account. */
export const totpPlugin: FastifyPluginAsyncZod<{ totp: TotpService }> = async (app, { totp }) => {
  // No cache on the way may keep an answer with secrets.
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  app.get(
    '/:id/totp',
    {
      config: { ...own, errors: ['user.not_found'] },
      schema: {
        operationId: 'getTotp',
        summary: 'See whether an account has a second factor',
        description: 'One’s own account. Administrators may see every account.',
        tags,
        params: idParams,
        response: { 200: totpResponse },
      },
    },
    async (request) => totp.get(actorOf(request), request.params.id),
  )

  app.post(
    '/:id/totp',
    {
      config: {
        ...own,
        errors: ['user.not_found', 'user.password_incorrect', 'auth.account_locked', 'totp.already_enabled'],
        location: '/api/v1/users/{id}/totp',
      },
      schema: {
        operationId: 'beginTotp',
        summary: 'Get a secret for an authenticator app',
        description:
          'The first step towards a second factor (TOTP, RFC 6238) for one’s own account. Nothing changes until a code of the app is confirmed; asking again replaces the secret. Wrong passwords count like failed logins.',
        tags,
        params: idParams,
        body: beginTotpBody,
        response: { 201: beginTotpResponse },
      },
    },
    async (request, reply) => reply.code(201).send(await totp.begin(actorOf(request), request.params.id, request.body)),
  )

  app.post(
    '/:id/totp/confirm',
    {
      config: { ...own, errors: ['user.not_found', 'totp.not_pending', 'totp.code_invalid'] },
      schema: {
        operationId: 'confirmTotp',
        summary: 'Put the second factor in force',
        description:
          'For a first code of the app. From now on logins need a code. The answer has ten recovery codes, shown this once. All other sessions end.',
        tags,
        params: idParams,
        body: confirmTotpBody,
        response: { 200: confirmTotpResponse },
      },
    },
    async (request) => totp.confirm(actorOf(request), request.params.id, request.body),
  )

  app.post(
    '/:id/totp/disable',
    {
      config: {
        ...own,
        errors: ['user.not_found', 'totp.not_enabled', 'totp.code_invalid', 'auth.account_locked'],
      },
      schema: {
        operationId: 'disableTotp',
        summary: 'Take the second factor away',
        description:
          'For a code of the app or a recovery code; wrong ones count like failed logins. Whoever has neither asks an administrator.',
        tags,
        params: idParams,
        body: disableTotpBody,
        response: { 204: z.null().meta({ description: 'Logins need no code any more.' }) },
      },
    },
    async (request, reply) => {
      await totp.disable(actorOf(request), request.params.id, request.body)
      return reply.code(204).send(null)
    },
  )
}
