import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import fresh from 'fresh'
import type { Precondition } from '../../domain/precondition.ts'
import { type InputFault, preconditionErrors, requestErrors } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Of a thing that can be changed: GET tells its ETag, and answers 304 to who has seen it; PUT and PATCH heed If-Match,
     * for which their handler passes `preconditionOf(request)` on.
     */
    conditional?: true
  }
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g
const CONDITION = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/
const TAG_LENGTH = 27

/** A strong validator (RFC 9110, 8.8.3) of a thing as the API shows it: any change of it is another one. */
const etagOf = (thing: object): string => {
  const hash = createHash('sha256').update(JSON.stringify(thing)).digest('base64url')
  return `"${hash.slice(0, TAG_LENGTH)}"`
}

const tagsIn = (header: string): readonly string[] => header.match(ENTITY_TAG) ?? []

/** The condition of the header If-Match, compared strongly (RFC 9110, 13.1.1); undefined without one. */
export const preconditionOf = ({ headers }: FastifyRequest): Precondition | undefined => {
  const asked = headers['if-match']
  if (asked === undefined) return undefined
  return (current) => {
    if (asked.trim() !== '*' && !tagsIn(asked).includes(etagOf(current))) throw preconditionErrors.failed()
  }
}

const faultOf = (request: FastifyRequest, name: 'if-match' | 'if-none-match'): InputFault[] => {
  const header = request.headers[name]
  const message = 'must be * or ETags in quotation marks, with commas between'
  return header === undefined || CONDITION.test(header)
    ? []
    : [{ in: 'headers', path: name, code: 'invalid_format', message }]
}

// Compared weakly (RFC 9110, 13.1.2): proxies that compress make a strong tag a weak one.
const isSeen = ({ headers }: FastifyRequest, etag: string): boolean =>
  fresh({ 'if-none-match': headers['if-none-match'] }, { etag })

/** Gives single things their ETag, and answers 304 where it is the one that the caller has. */
export const conditionalRequestsPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.routeOptions.config.conditional) return done()
    const errors = [...faultOf(request, 'if-match'), ...faultOf(request, 'if-none-match')]
    done(errors.length > 0 ? requestErrors.failed({ errors }) : undefined)
  })

  app.addHook<object | null>('preSerialization', (request, reply, payload, done) => {
    const { conditional } = request.routeOptions.config
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (conditional && isRead && payload !== null && reply.statusCode === 200)
      void reply.header('etag', etagOf(payload))
    done(null, payload)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const etag = reply.getHeader('etag')
    if (!request.routeOptions.config.conditional || typeof etag !== 'string' || !isSeen(request, etag)) {
      return done(null, payload)
    }
    void reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, '')
  })
})
