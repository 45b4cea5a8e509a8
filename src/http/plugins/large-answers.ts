import { hash } from 'node:crypto'
import compress, { type FastifyCompressOptions } from '@fastify/compress'
import type { FastifyInstance, onSendHookHandler, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import fresh from 'fresh'
import { z } from 'zod'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may be large: it is compressed, and not sent again to who has it. Every list is so by itself. */
    large?: true
  }
}

// What is smaller fits into two packets as it is.
const COMPRESSION: FastifyCompressOptions = { threshold: 2_048, encodings: ['zstd', 'br', 'gzip'] }

// What a query consists of, before it is transformed.
const fieldsOf = (querystring: unknown): object => {
  if (querystring instanceof z.ZodPipe) return fieldsOf(querystring.in)
  return querystring instanceof z.ZodObject ? querystring.shape : {}
}

// Its HEAD, which the framework makes from it, is a route of its own.
const isList = ({ method, schema }: RouteOptions): boolean =>
  ['GET', 'HEAD'].includes(String(method)) && 'perPage' in fieldsOf(schema?.querystring)

/** What a route answers to who has its answer already, for the documentation. */
export const notModifiedResponse = (route: RouteOptions) => {
  const description = 'Nothing changed since the answer whose `ETag` the request names in `If-None-Match`.'
  return isList(route) ? { 304: { type: 'null', description } } : {}
}

// A weak validator (RFC 9110, 8.8.1), since every encoding of the same content has the same one.
const tagOf = (body: string | Buffer): string => `W/"${hash('sha256', body, 'base64url')}"`

const sendOnce: onSendHookHandler = (request, reply, body, done) => {
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (reply.statusCode !== 200 || !isWhole) return done(null, body)
  const etag = tagOf(body)
  void reply.header('etag', etag)
  // Not by Cache-Control: Node's own fetch sends no-cache with every conditional request.
  if (!fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })) return done(null, body)
  void reply.code(304).removeHeader('content-type').removeHeader('content-length')
  done(null, null)
}

/**
 * Lists, documents and files of ours travel compressed to callers who take that, and those that have an answer already
 * get 304 in place of it. Nothing else does: pages and answers with secrets would tell them by their compressed length
 * (BREACH), and what is small gains nothing.
 *
 * Not @fastify/etag: it knows no routes, so it would also answer 304 to a POST that was carried out.
 */
export const largeAnswersPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  // Before the compression adds its own hook: the tag is that of the content, whatever its encoding.
  app.addHook('onRoute', (route) => {
    if (!route.config?.large && !isList(route)) return
    // The options of a route are all of its options, not those that differ.
    route.compress = COMPRESSION
    route.onSend = [sendOnce, ...[route.onSend ?? []].flat()]
  })
  await app.register(compress, { global: false })
})
