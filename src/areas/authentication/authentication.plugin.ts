import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { loginBody, loginResponse, refreshTokenBody, registerBody, tokensResponse } from './authentication.schemas.ts'
import type { AuthenticationService } from './authentication.service.ts'
import type { SignAccessToken } from './sessions.ts'

type Options = { authentication: AuthenticationService }

const tags = ['Authentication']
const LOGIN_ERRORS = ['auth.credentials_invalid', 'auth.totp_required', 'auth.totp_invalid', 'auth.account_locked']

export const authenticationPlugin: FastifyPluginAsyncZod<Options> = async (app, { authentication }) => {
  const sign: SignAccessToken = (claims) => app.jwt.sign(claims)

  // RFC 6749, 5.1: no cache on the way may keep an answer with tokens.
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  app.post(
    '/register',
    {
      config: { access: 'public', rateLimit: 'tight', errors: ['user.email_taken'] },
      schema: {
        operationId: 'register',
        summary: 'Register as a seller',
        description:
          'Opens a seller’s account with an empty balance and logs in. Payments can be received once a company was approved.',
        tags,
        body: registerBody,
        response: { 201: loginResponse },
      },
    },
    async (request, reply) => reply.code(201).send(await authentication.register(request.body, sign)),
  )

  app.post(
    '/login',
    {
      config: { access: 'public', rateLimit: 'tight', errors: LOGIN_ERRORS },
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'Opens a session. An unknown address and a wrong password get the same answer. An account with a second factor answers `auth.totp_required` to the right password alone: log in again with `totpCode`, or with a `recoveryCode`. Ten failures within 15 minutes, wrong codes among them, lock the account for 15 minutes.',
        tags,
        body: loginBody,
        response: { 200: loginResponse },
      },
    },
    async (request) => authentication.login(request.body, sign),
  )

  app.post(
    '/refresh',
    {
      config: { access: 'public', rateLimit: 'tight', errors: ['auth.refresh_token_invalid'] },
      schema: {
        operationId: 'refreshTokens',
        summary: 'Get new tokens',
        description:
          'Changes a refresh token for new tokens. A refresh token is good once: using it again ends its session, because somebody has a copy.',
        tags,
        body: refreshTokenBody,
        response: { 200: tokensResponse },
      },
    },
    async (request) => authentication.refresh(request.body, sign),
  )

  app.post(
    '/logout',
    {
      config: { access: ['seller', 'admin'], scope: 'interactive', errors: ['auth.refresh_token_invalid'] },
      schema: {
        operationId: 'logout',
        summary: 'Log out',
        description: 'Ends the session of a refresh token of one’s own, with all of its tokens, at once.',
        tags,
        body: refreshTokenBody,
        response: { 204: z.null().meta({ description: 'The session has ended.' }) },
      },
    },
    async (request, reply) => {
      await authentication.logout(actorOf(request), request.body)
      return reply.code(204).send(null)
    },
  )
}
