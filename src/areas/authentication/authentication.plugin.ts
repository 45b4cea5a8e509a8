import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { COOKIE_PATH, cookieName } from '../../http/cookie-names.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { guesserBucket } from '../../http/plugins/rate-limit.ts'
import type { PublicAddress } from '../../public-address.ts'
import {
  loginBody,
  loginResponse,
  refreshTokenBody,
  registerBody,
  stepUpBody,
  tokensResponse,
} from './authentication.schemas.ts'
import type { AuthenticationService } from './authentication.service.ts'
import { openedFrom } from './authentication.view.ts'
import { DEVICE_COOKIE } from './known-devices.ts'
import type { SignAccessToken } from './sessions.ts'
import type { StepUp } from './step-up.ts'

type Options = { authentication: AuthenticationService; stepUp: StepUp; publicAddress: PublicAddress }

const tags = ['Authentication']
const LOGIN_ERRORS = [
  'auth.credentials_invalid',
  'auth.password_expired',
  'auth.totp_required',
  'auth.totp_invalid',
  'auth.account_blocked',
  'auth.account_locked',
]

const DEVICE_KNOWN_SECONDS = 365 * 86_400

export const authenticationPlugin: FastifyPluginAsyncZod<Options> = async (app, options) => {
  const { authentication, stepUp, publicAddress } = options
  await app.register(cookie, { hook: false })
  const isSecure = (): boolean => publicAddress.url().startsWith('https:')
  const deviceCookie = (): string => cookieName(DEVICE_COOKIE, isSecure())
  const originOf = (request: FastifyRequest) => ({
    ...openedFrom(request),
    network: guesserBucket(request.ip),
    deviceMark: app.parseCookie(request.headers.cookie ?? '')[deviceCookie()],
  })
  const sign: SignAccessToken = (claims) => app.jwt.sign(claims)

  // RFC 6749, 5.1: no cache on the way may keep an answer with tokens.
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  app.post(
    '/register',
    {
      config: {
        access: 'public',
        rateLimit: 'tight',
        errors: ['user.email_taken'],
        location: '/api/v1/users/{user.id}',
      },
      schema: {
        operationId: 'register',
        summary: 'Register as a seller',
        description:
          'Opens a seller’s account with an empty balance and logs in. Payments can be received once a company was approved. A link that verifies the address is sent to it. Whoever is told ten times within 15 minutes that an address is taken waits for 15 minutes (429).',
        tags,
        body: registerBody,
        response: { 201: loginResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await authentication.register(request.body, originOf(request), sign)),
  )

  app.post(
    '/login',
    {
      config: { access: 'public', rateLimit: 'tight', errors: LOGIN_ERRORS },
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'Opens a session. An unknown address and a wrong password get the same answer. An account with a second factor answers `auth.totp_required` to the right password alone: log in again with `totpCode`, or with a `recoveryCode`. After ten failures, wrong codes among them, an address waits for 15 minutes before it may try this account again, and after each further failure twice as long. Others are not kept waiting, nor is a browser that was logged in before and sends back its cookie `device` (behind TLS `__Host-device`).',
        tags,
        body: loginBody,
        response: { 200: loginResponse },
      },
    },
    async (request, reply) => {
      const { deviceMark, ...session } = await authentication.login(request.body, originOf(request), sign)
      void reply.setCookie(deviceCookie(), deviceMark, {
        path: COOKIE_PATH,
        secure: isSecure(),
        maxAge: DEVICE_KNOWN_SECONDS,
        httpOnly: true,
        sameSite: 'strict',
      })
      return session
    },
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
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        secondFactor: 'none',
        errors: ['auth.refresh_token_invalid'],
      },
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

  app.post(
    '/step-up',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        secondFactor: 'none',
        rateLimit: 'tight',
        errors: ['auth.step_up_failed', 'auth.account_locked'],
      },
      schema: {
        operationId: 'stepUp',
        summary: 'Show once more who you are',
        description:
          'With the password, or a code of the second factor. For ten minutes the session may then do what could take an account over or send money out, which is refused with `auth.step_up_required` before. A login counts as one. Wrong ones count like failed logins.',
        tags,
        body: stepUpBody,
        response: { 204: z.null().meta({ description: 'This session may do guarded acts for ten minutes.' }) },
      },
    },
    async (request, reply) => {
      await stepUp(actorOf(request), request.body)
      return reply.code(204).send(null)
    },
  )
}
