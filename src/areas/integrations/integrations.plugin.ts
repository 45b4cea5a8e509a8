import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import type { SignAccessToken } from '../authentication/sessions.ts'
import {
  credentialsResponse,
  integrationLoginBody,
  integrationLoginResponse,
  rotatedCredentialsResponse,
  updateCredentialsBody,
} from './integrations.schemas.ts'
import type { IntegrationsService } from './integrations.service.ts'
import { loginAnswer, parseLoginForm } from './login-form.ts'

type Options = { integrations: IntegrationsService }

const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 8 * 1_024

const tags = ['Integrations']

const isForm = ({ headers }: FastifyRequest): boolean => (headers['content-type'] ?? '').toLowerCase().startsWith(FORM)

const loginPlugin: FastifyPluginAsyncZod<Options> = async (app, { integrations }) => {
  const sign: SignAccessToken = (claims) => app.jwt.sign(claims)

  app.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: unknown, text: string) => parseLoginForm(text),
  )

  app.post(
    '/login',
    {
      config: { access: 'public', rateLimit: 'tight', errors: LOGIN_ERRORS },
      schema: {
        operationId: 'loginIntegration',
        summary: 'Log in with API credentials',
        description: `OAuth 2 client credentials (RFC 6749, 4.4). Takes JSON, or a form (\`${FORM}\`) in which the standard’s names \`client_id\`, \`client_secret\` and \`grant_type\` work too. The token has the role seller and the scopes of the credentials. There is no refresh token: log in again. Ten failures within 15 minutes lock the credentials for 15 minutes.`,
        tags,
        consumes: ['application/json', FORM],
        body: integrationLoginBody,
        response: { 200: integrationLoginResponse },
      },
    },
    async (request) => loginAnswer(await integrations.login(request.body, request.ip, sign), isForm(request)),
  )
}

const LOGIN_ERRORS = ['auth.credentials_invalid', 'auth.account_locked', 'auth.address_not_allowed']

export const integrationsPlugin: FastifyPluginAsyncZod<Options> = async (app, { integrations }) => {
  // RFC 6749, 5.1: no cache on the way may keep an answer with tokens or secrets.
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  // Forms are understood by the login alone.
  await app.register(loginPlugin, { integrations })

  app.get(
    '/credentials',
    {
      config: { access: ['seller'], scope: 'interactive' },
      schema: {
        operationId: 'getCredentials',
        summary: 'Get one’s own API credentials',
        description:
          'The first call makes them, without a secret. Get a secret with `PUT /integrations/credentials` and `{"rotateSecret": true}`. Secrets are never shown here.',
        tags,
        response: { 200: credentialsResponse },
      },
    },
    async (request) => integrations.getCredentials(actorOf(request)),
  )

  app.put(
    '/credentials',
    {
      config: { access: ['seller'], scope: 'interactive' },
      schema: {
        operationId: 'updateCredentials',
        summary: 'Change one’s own API credentials',
        description:
          'Changes what is sent and keeps the rest. With `rotateSecret` the answer has the new secret in `clientSecret`, once; the secret before works for 24 more hours. Scopes and addresses take effect at once, also on tokens that are out; a scope that is added is in the tokens of the next login.',
        tags,
        body: updateCredentialsBody,
        response: { 200: rotatedCredentialsResponse },
      },
    },
    async (request) => integrations.updateCredentials(actorOf(request), request.body),
  )
}
