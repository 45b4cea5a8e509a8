import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { Services } from '../compose.ts'
import { releaseMemory } from './release-memory.ts'
import { listenError } from './start-error.ts'

/** How long work in flight may take once the server closes. What is longer is cut off. */
const DRAIN_MS = 7_000

const closeWithin = async (app: FastifyInstance): Promise<void> => {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close().finally(() => clearTimeout(timer))
}

/** Starts the HTTP server. Answers its address and how to close it, with the work in flight finished. */
export const startApi = async (services: Services): Promise<{ url: string; close: () => Promise<void> }> => {
  const { config, logger } = services
  const app = await buildApp({ config, services, logger })
  try {
    await app.ready()
    releaseMemory()
    const url = await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `listening on ${address}`,
    })
    return { url, close: () => closeWithin(app) }
  } catch (error) {
    await app.close()
    throw listenError(error, config.host, config.port)
  }
}
