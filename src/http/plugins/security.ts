import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import helmet from 'helmet'
import { looksLikeCardNumber } from '../../domain/luhn.ts'
import { type AppError, type InputFault, requestErrors } from '../../errors.ts'

type Options = { corsOrigins: readonly string[]; isSandbox: boolean }

const NOTHING = ["'none'"]
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const DEPTH_MAX = 20
const CORS_CACHE_SECONDS = 3_600
const EXPOSED_HEADERS = [
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'search-complete',
  'x-environment',
  'x-request-id',
]

/** The client's X-Request-Id when it is well formed, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()

type Fault = Omit<InputFault, 'in'>

const textFault = (value: string, parts: readonly string[]): Fault | undefined => {
  if (value.includes('\u0000') || !value.isWellFormed()) {
    return {
      path: parts.join('.'),
      code: 'invalid_text',
      message: 'Text may hold neither NUL characters nor lone surrogates.',
    }
  }
  if (looksLikeCardNumber(value)) {
    return {
      path: parts.join('.'),
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
    : textFault(key, path)

/** The first fault in a parsed value that no schema needs to think of: broken text, a card number, too deep nesting. */
export const findFault = (value: unknown, path: string[] = []): Fault | undefined => {
  if (typeof value === 'string') return textFault(value, path)
  if (typeof value === 'number') return textFault(String(value), path)
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= DEPTH_MAX) {
    return { path: path.slice(0, 3).join('.'), code: 'too_deep', message: `At most ${DEPTH_MAX} levels of nesting.` }
  }
  for (const key of Object.keys(value)) {
    const keyedFault = keyFault(key, path)
    if (keyedFault) return keyedFault
    // One path for all: every request is looked at, and hardly any has a fault.
    path.push(key)
    const fault = findFault((value as Record<string, unknown>)[key], path)
    if (fault) return fault
    path.pop()
  }
  return undefined
}

const faultsOf = (request: FastifyRequest): AppError | undefined => {
  const parts = { params: request.params, query: request.query, body: request.body } as const
  const errors = Object.entries(parts).flatMap(([name, value]) => {
    // A file is not text; its content is judged where it is stored.
    const fault = Buffer.isBuffer(value) ? undefined : findFault(value)
    return fault ? [{ in: name as keyof typeof parts, ...fault }] : []
  })
  return errors.length > 0 ? requestErrors.failed({ errors }) : undefined
}

/**
 * The headers that helmet gives, which are the same for every answer: what a page needs beside them, it sets itself.
 * Asked for once: @fastify/helmet builds and runs it again for each request, at 11 µs and more: a twentieth of a read.
 */
const securityHeaders = (): Record<string, string> => {
  const protect = helmet({
    contentSecurityPolicy: {
      // What the default does not stand for is named.
      directives: { defaultSrc: NOTHING, baseUri: NOTHING, formAction: NOTHING, frameAncestors: NOTHING },
      useDefaults: false,
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  protect(request, response, () => undefined)
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** Security headers, CORS, the request id on every response, and the refusals that hold for every operation. */
export const securityPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { corsOrigins, isSandbox }) => {
  // The preflight route is the CORS plugin's own: it answers every path, to anybody.
  app.addHook('onRoute', (route) => {
    if (route.url === '*') route.config = { ...route.config, access: 'public' }
  })
  const headers = { ...securityHeaders(), ...(isSandbox ? { 'x-environment': 'sandbox' } : {}) }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  await app.register(cors, {
    // A preflight that lacks its headers is answered like any other, not with a text of its own.
    strictPreflight: false,
    origin: corsOrigins.length === 0 ? false : [...corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'search-text',
      'x-request-id',
    ],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: CORS_CACHE_SECONDS,
  })
  app.addHook('preValidation', (request, _reply, done) => done(faultsOf(request)))
})
