import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { looksLikeCardNumber } from '../../domain/luhn.ts'
import { type InputFault, requestErrors } from '../../errors.ts'

type Options = { corsOrigins: readonly string[] }

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const DEPTH_MAX = 20
const CORS_CACHE_SECONDS = 3_600

/** The client's X-Request-Id when it is well formed, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()

type Fault = Omit<InputFault, 'in'>

const textFault = (value: string, path: string): Fault | undefined => {
  if (value.includes('\u0000') || !value.isWellFormed()) {
    return { path, code: 'invalid_text', message: 'Text may hold neither NUL characters nor lone surrogates.' }
  }
  if (looksLikeCardNumber(value)) {
    return {
      path,
      code: 'card_number',
      message: 'Never send card numbers. Send the token that the provider made of it.',
    }
  }
  return undefined
}

// Objects made of such a key would answer for fields that nobody sent.
const keyFault = (key: string, path: readonly string[]): Fault | undefined =>
  key === '__proto__'
    ? { path: [...path, key].join('.'), code: 'forbidden_key', message: 'No field can have this name.' }
    : textFault(key, path.join('.'))

/** The first fault in a parsed value that no schema needs to think of: broken text, a card number, too deep nesting. */
export const findFault = (value: unknown, path: string[] = []): Fault | undefined => {
  if (typeof value === 'string') return textFault(value, path.join('.'))
  if (typeof value === 'number') return textFault(String(value), path.join('.'))
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= DEPTH_MAX) {
    return { path: path.slice(0, 3).join('.'), code: 'too_deep', message: `At most ${DEPTH_MAX} levels of nesting.` }
  }
  for (const [key, entry] of Object.entries(value)) {
    const fault = keyFault(key, path) ?? findFault(entry, [...path, key])
    if (fault) return fault
  }
  return undefined
}

const refuseFaults = (request: FastifyRequest): void => {
  const parts = { params: request.params, query: request.query, body: request.body } as const
  const errors = Object.entries(parts).flatMap(([name, value]) => {
    // A file is not text; its content is judged where it is stored.
    const fault = Buffer.isBuffer(value) ? undefined : findFault(value)
    return fault ? [{ in: name as keyof typeof parts, ...fault }] : []
  })
  if (errors.length > 0) throw requestErrors.failed({ errors })
}

/** Security headers, CORS, the request id on every response, and the refusals that hold for every operation. */
export const securityPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { corsOrigins }) => {
  // The preflight route is the CORS plugin's own: it answers every path, to anybody.
  app.addHook('onRoute', (route) => {
    if (route.url === '*') route.config = { ...route.config, access: 'public' }
  })
  await app.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  await app.register(cors, {
    // A preflight that lacks its headers is answered like any other, not with a text of its own.
    strictPreflight: false,
    origin: corsOrigins.length === 0 ? false : [...corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders: ['link', 'x-request-id', 'idempotency-replayed', 'retry-after', 'ratelimit', 'ratelimit-policy'],
    maxAge: CORS_CACHE_SECONDS,
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('preValidation', async (request) => refuseFaults(request))
})
