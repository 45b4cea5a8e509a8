import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Clock } from '../../src/clock.ts'
import { systemClock } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { autocommit, createDatabase, createPool } from '../../src/db/client.ts'
import { createReadiness } from '../../src/db/readiness.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createRateLimitsRepository } from '../../src/rate-limits/rate-limits.repository.ts'
import { createRateLimits } from '../../src/rate-limits/rate-limits.ts'
import { createMetrics, poolGauge } from '../../src/telemetry/metrics.ts'
import { createApi } from './app.ts'

export const USER_ID = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
export const SESSION_ID = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e01'

type Options = {
  databaseUrl: string
  /** Routes of the test's own, beside the server's. */
  plant?: (app: FastifyInstance) => void
  environment?: Record<string, string>
  clock?: Clock
  actor?: Partial<Actor>
}

const ENVIRONMENT = {
  NODE_ENV: 'test',
  JWT_SECRET: 'a-secret-that-only-the-tests-use-0123456789',
  ENCRYPTION_KEY: 'a-key-that-only-the-tests-use-0123456789abc',
}

const PERSON: Actor = {
  userId: USER_ID,
  role: 'seller',
  accessRole: 'owner',
  sellerId: USER_ID,
  sessionId: SESSION_ID,
  provedAt: new Date(),
  hasSecondFactor: false,
  hasMadeUpPassword: false,
  scopes: 'all',
}

/** The HTTP server without any area, on a free port: what holds for every operation can be tried on planted routes. */
export const startHttpServer = async ({ databaseUrl, plant, environment, clock = systemClock, actor }: Options) => {
  const config = loadConfig({ ...ENVIRONMENT, ...environment })
  const pool = createPool({ url: databaseUrl, max: 5, onError: () => undefined })
  const repository = createRateLimitsRepository(autocommit(createDatabase(pool)))
  const rateLimits = createRateLimits({ repository, windowMs: config.rateLimits.windowMs, clock })
  const app = await createHttpServer({
    config,
    logger: pino({ level: 'silent' }),
    accessTokenSeconds: 900,
    findActor: async () => ({ ...PERSON, ...actor }),
    isReady: createReadiness(pool).isMigrated,
    rateLimits,
    metrics: createMetrics([poolGauge(pool)]),
    events: [],
  })
  plant?.(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const token = app.jwt.sign({ sub: USER_ID, sid: SESSION_ID })
  const close = async (): Promise<void> => {
    await app.close()
    if (!pool.ended) await pool.end()
  }
  return { app, url, api: createApi(url), token, pool, rateLimits, repository, close }
}

/** Sends bytes that no HTTP client would, and gives the bytes that came back until the connection ended. */
export const sendBytes = async (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
