import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Metrics } from '../../telemetry/metrics.ts'

type Options = { metrics: Metrics }

const UNKNOWN_ROUTE = 'unknown'

/** One log line and one measurement per request, when it is over. Neither holds query values, headers or bodies. */
export const requestLogPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { metrics }) => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, actor, ip } = request
    const route = request.is404 ? UNKNOWN_ROUTE : (routeOptions.url ?? UNKNOWN_ROUTE)
    const { statusCode: status, elapsedTime } = reply
    metrics.observe(method, route, status, elapsedTime / 1_000)
    const fields = { method, route, status, durationMs: Math.round(elapsedTime * 10) / 10, ip, userId: actor?.userId }
    // Probes come every few seconds for ever.
    if (routeOptions.config.rateLimit === 'none') request.log.debug(fields, 'answered')
    else request.log.info(fields, 'answered')
    done()
  })
})
