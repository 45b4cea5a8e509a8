import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { Services } from '../compose.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { listenError } from './start-error.ts'

/** How long work in flight may take once the server closes. What is longer is cut off. */
const DRAIN_MS = 7_000

const closeWithin = async (app: FastifyInstance, graceMs: number): Promise<void> => {
  app.leave()
  await wait(graceMs)
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close().finally(() => clearTimeout(timer))
}

/** A server that listens. `close` has it serve on for the grace, not ready any more, and then finishes the work in flight. */
type RunningApi = { url: string; close: (graceMs: number) => Promise<void> }

/** Starts the HTTP server. */
export const startApi = async (services: Services, metrics: Metrics): Promise<RunningApi> => {
  const { config, logger } = services
  const app = await buildApp({ config, services, logger, metrics })
  try {
    await app.ready()
    const url = await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `listening on ${address}`,
    })
    return { url, close: (graceMs) => closeWithin(app, graceMs) }
  } catch (error) {
    await app.close()
    throw listenError(error, config)
  }
}
