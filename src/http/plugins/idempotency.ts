import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { z } from 'zod'
import { idempotencyErrors, requestErrors } from '../../errors.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import { actorOf } from './access.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: Idempotency | undefined
  }
}

const KEY = /^[\x21-\x7e]{1,255}$/
const KEY_RULE = 'must be 1 to 255 visible ASCII characters'

const keySchema = z
  .string()
  .max(255)
  .regex(KEY, KEY_RULE)
  .meta({
    description: 'Names this request: a repeat with the same key and body gets the first answer again for 24 hours.',
    examples: ['6b1f0f6e-order-77'],
  })

/** Header of an operation that may be repeated under a key. Loose, because the other headers are not ours to drop. */
export const idempotencyHeaders = z.looseObject({ 'idempotency-key': keySchema.optional() })

/**
 * Header of an operation that moves money: it must be named. Documented as required, though the schema lets its
 * absence pass, so that requiredIdempotencyOf can answer idempotency.key_required.
 */
export const requiredIdempotencyHeaders = idempotencyHeaders.meta({ required: ['idempotency-key'] })

const keyFault = () =>
  requestErrors.failed({
    errors: [{ in: 'headers', path: 'idempotency-key', code: 'invalid_format', message: KEY_RULE }],
  })

const hashOf = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex')

// Of the parameters as their schema made them: an id is the same however it was written.
const pathOf = ({ routeOptions: { url = '' }, params }: FastifyRequest): string =>
  url.replace(/:(\w+)/g, (_match, name: string) => String((params as Readonly<Record<string, unknown>>)[name]))

/**
 * How this request names itself for `ownerId` (by default its caller), or undefined without a key.
 * Throws validation.failed for a key that is none, also where a route forgot to declare the header.
 */
export const idempotencyOf = (request: FastifyRequest, ownerId?: string): Idempotency | undefined => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !KEY.test(key)) throw keyFault()
  request.idempotency = {
    ownerId: ownerId ?? actorOf(request).sellerId,
    operation: `${request.method} ${pathOf(request)}`,
    key,
    requestHash: hashOf(request.body),
    requestId: request.id,
    replayed: false,
  }
  return request.idempotency
}

/** As idempotencyOf, for operations that refuse to act without a key. Throws idempotency.key_required. */
export const requiredIdempotencyOf = (request: FastifyRequest): Idempotency => {
  const idempotency = idempotencyOf(request)
  if (idempotency === undefined) {
    const message = 'Send a new value for each new request, and the same one for each repeat of it.'
    throw idempotencyErrors.key_required({
      errors: [{ in: 'headers', path: 'idempotency-key', code: 'required', message }],
    })
  }
  return idempotency
}

/** Marks repeated answers. */
export const idempotencyPlugin = fastifyPlugin(async (app) => {
  app.decorateRequest('idempotency', undefined)
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.idempotency?.replayed) void reply.header('idempotency-replayed', 'true')
    done()
  })
})
