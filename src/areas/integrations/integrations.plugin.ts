import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sendOAuthError } from '../../http/oauth-errors.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { asAppError } from '../../http/plugins/errors.ts'
import { guesserBucket } from '../../http/plugins/rate-limit.ts'
import type { SignAccessToken } from '../authentication/sessions.ts'
import {
  credentialsResponse,
  integrationLoginBody,
  integrationLoginResponse,
  rotatedCredentialsResponse,
  updateCredentialsBody,
} from './integrations.schemas.ts'
import type { IntegrationsService } from './integrations.service.ts'
import { oldTokenView } from './integrations.view.ts'
import { isOldRequest, parseTokenForm, tokenRequestOf } from './token-request.ts'

type Options = { integrations: IntegrationsService }

const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 8 * 1_024

const tags = ['Integrations']

const loginPlugin: FastifyPluginAsyncZod<Options> = async (app, { integrations }) => {
  const sign: SignAccessToken = (claims) => app.jwt.sign(claims)

  app.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: unknown, text: string) => parseTokenForm(text),
  )

  // Noted before the names are made those of the standard.
  const oldRequests = new WeakSet<FastifyRequest>()
  app.addHook('preValidation', async (request) => {
    const isForm = (request.headers['content-type'] ?? '').toLowerCase().startsWith(FORM)
    if (isOldRequest(request.body, isForm)) oldRequests.add(request)
  })

  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error, request)
    // The server's own handler answers what is nobody's fault here.
    if (known === undefined || known.status >= 500) throw error
    return sendOAuthError(reply, known)
  })

  app.post(
    '/login',
    {
      config: { access: 'public', rateLimit: 'tight', errors: LOGIN_ERRORS, oauth: true },
      schema: {
        operationId: 'loginIntegration',
        summary: 'Log in with API credentials',
        description: LOGIN_DESCRIPTION,
        tags,
        consumes: ['application/json', FORM],
        body: integrationLoginBody,
        response: { 200: integrationLoginResponse },
      },
    },
    async (request) => {
      const { headers, body, ip } = request
      const origin = { address: ip, network: guesserBucket(ip) }
      const token = await integrations.login(tokenRequestOf(headers.authorization, body), origin, sign)
      return oldRequests.has(request) ? oldTokenView(token) : token
    },
  )
}

const LOGIN_DESCRIPTION = `OAuth 2 client credentials (RFC 6749, 4.4), as JSON or as a form (\`${FORM}\`). The credentials stand in the body, or in the header \`Authorization: Basic\`. The token has the role seller and the scopes of the credentials, or those of them that \`scope\` asks for. There is no refresh token: log in again. After ten failures an address waits for 15 minutes before it may try these credentials again, and after each further failure twice as long; other addresses are not kept waiting.

Refusals with 400 and 401 are \`application/json\`, as the standard wants it, with \`error\` and \`error_description\` beside the members of every other refusal.`

const LOGIN_ERRORS = [
  'auth.credentials_invalid',
  'auth.account_blocked',
  'auth.grant_unsupported',
  'auth.scope_invalid',
  'auth.account_locked',
  'auth.address_not_allowed',
]

export const integrationsPlugin: FastifyPluginAsyncZod<Options> = async (app, { integrations }) => {
  // RFC 6749, 5.1: no cache on the way may keep an answer with tokens or secrets.
  app.addHook('onSend', async (_request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })

  // Forms are understood by the login alone.
  await app.register(loginPlugin, { integrations })

  app.get(
    '/credentials',
    {
      config: { access: ['seller:developer'], scope: 'interactive', conditional: true },
      schema: {
        operationId: 'getCredentials',
        summary: 'Get one’s own API credentials',
        description:
          'The first call makes them, without a secret and with the scopes that taking payments needs. Get a secret with `PUT /integrations/credentials` and `{"rotateSecret": true}`, and name there all the `scopes` that your server needs. Secrets are never shown here.',
        tags,
        response: { 200: credentialsResponse },
      },
    },
    async (request) => integrations.getCredentials(actorOf(request)),
  )

  app.put(
    '/credentials',
    {
      config: { access: ['seller:owner'], scope: 'interactive', stepUp: true, conditional: true },
      schema: {
        operationId: 'updateCredentials',
        summary: 'Change one’s own API credentials',
        description:
          'Changes what is sent and keeps the rest. With `rotateSecret` the answer has the new secret in `clientSecret`, once; the secret before works for 24 more hours. Scopes and addresses take effect at once, also on tokens that are out; a scope that is added is in the tokens of the next login. `revokeNow` ends the secret before this one at once; tokens end with the secret that made them. The session has to have been opened within the last ten minutes. Rotating is told by the event `credentials.rotated`.',
        tags,
        body: updateCredentialsBody,
        response: { 200: rotatedCredentialsResponse },
      },
    },
    async (request) => integrations.updateCredentials(actorOf(request), request.body, preconditionOf(request)),
  )
}
