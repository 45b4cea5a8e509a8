import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { beginSpan, isTracing, type Span, within } from '../../tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

// Strangers do not choose which requests are kept: a trace is gone on with where one of our own proxies hands it on.
const parentOf = (request: FastifyRequest): string | undefined => {
  const { traceparent } = request.headers
  const cameByProxy = (request.ips?.length ?? 0) > 1
  return cameByProxy && typeof traceparent === 'string' ? traceparent : undefined
}

const begin = (request: FastifyRequest): Span | undefined => {
  const { method, routeOptions, id } = request
  // Probes come every few seconds for ever.
  if (request.is404 || routeOptions.config.rateLimit === 'none') return undefined
  const route = routeOptions.url ?? ''
  const fields = { 'http.request.method': method, 'http.route': route, 'request.id': id }
  return beginSpan({ name: `${method} ${route}`, kind: 'server', parent: parentOf(request), fields })
}

/** One span per request, from its head to the end of its answer. Neither address, query values nor bodies are in it. */
export const tracingPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  if (!isTracing()) return
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = begin(request)
    within(request.span, done)
  })
  // The body arrives outside of what its request began.
  app.addHook('preValidation', (request, _reply, done) => within(request.span, done))
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { span, actor } = request
    span?.note({ 'http.response.status_code': statusCode, ...(actor ? { 'user.id': actor.userId } : {}) })
    if (statusCode >= 500) span?.fail(String(statusCode))
    span?.end()
    done()
  })
})
