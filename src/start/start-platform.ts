import type { FastifyBaseLogger } from 'fastify'
import { createMovableClock } from '../clock.ts'
import { compose, type Services } from '../compose.ts'
import type { Config } from '../config.ts'
import { followPlatformClock } from '../providers/sandbox/platform-clock.ts'
import { startWorker } from '../workers/start-worker.ts'
import { startWebhookDispatcher } from '../workers/webhooks/dispatcher.ts'
import { firstRun } from './first-run.ts'
import { openDatabase } from './open-database.ts'
import { releaseMemory } from './release-memory.ts'
import { startApi } from './start-api.ts'

type Close = () => Promise<void>

const followClock = async ({ platformClock, logger }: Services): Promise<Close> => {
  await platformClock.sync()
  const stop = followPlatformClock(platformClock, (error) => logger.warn({ err: error }, 'the clock is not followed'))
  return async () => stop()
}

/** Calls to sellers' servers that are still under way after this time are left to the next process. */
const CALLS_END_WITHIN_MS = 5_000

const startDispatching = ({ webhookEngine: engine, eventSignal: signal, logger }: Services): Close => {
  const dispatcher = startWebhookDispatcher({ engine, signal, logger })
  return () => dispatcher.stop(CALLS_END_WITHIN_MS)
}

const announce = (logger: FastifyBaseLogger, url: string): void => {
  logger.info(`the documentation is at ${url}/docs/`)
  logger.info(`the API is at ${url}/api/v1`)
}

/** Starts what this process is there for, in order, and answers how to end it, in the opposite order. */
export const startPlatform = async (config: Config, logger: FastifyBaseLogger): Promise<Close> => {
  const closers: Close[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const { database, replica, close } = await openDatabase(config, logger)
    closers.push(close)
    const services = compose({ config, database, replica, clock: createMovableClock(), logger })
    // Only the simulated provider lets the platform's time be moved.
    if (config.provider === 'sandbox') closers.push(await followClock(services))
    await firstRun(services, config)
    if (config.role !== 'api') {
      closers.push((await startWorker(services)).stop)
      closers.push(startDispatching(services))
    }
    if (config.role === 'worker') {
      releaseMemory()
      logger.info('the jobs run')
      return closeAll
    }
    const api = await startApi(services)
    closers.push(api.close)
    announce(logger, config.publicUrl ?? api.url)
    return closeAll
  } catch (error) {
    await closeAll()
    throw error
  }
}
