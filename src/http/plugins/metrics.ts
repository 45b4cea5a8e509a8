import type { FastifyInstance } from 'fastify'
import { hashSecret, sameHash } from '../../crypto/opaque-tokens.ts'
import { routeErrors } from '../../errors.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { cacheAnswer } from '../cache-answer.ts'

type Options = {
  metrics: Metrics
  /** What a scraper sends as its bearer token. Absent: whoever reaches the port may read. */
  token?: string | undefined
}

const COLLECTED_FOR_MS = 1_000

const isBearer = (authorization: string | undefined, token: string): boolean =>
  sameHash(hashSecret(authorization ?? ''), hashSecret(`Bearer ${token}`))

/** What Prometheus scrapes. Without the token the path looks as if it were not there. */
export const metricsPlugin = async (app: FastifyInstance, { metrics, token }: Options): Promise<void> => {
  // A collection asks the database: scrapers, however many, cost one a second.
  const collect = cacheAnswer(metrics.text, COLLECTED_FOR_MS)
  const route = { config: { access: 'public', rateLimit: 'none' }, schema: { hide: true } } as const

  app.get('/metrics', route, async (request, reply) => {
    if (token !== undefined && !isBearer(request.headers.authorization, token)) throw routeErrors.not_found()
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await collect())
  })
}
