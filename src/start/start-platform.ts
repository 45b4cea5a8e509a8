import type { FastifyBaseLogger } from 'fastify'
import { createMovableClock } from '../clock.ts'
import { compose, type Services } from '../compose.ts'
import type { Config } from '../config.ts'
import { openDataFolder } from '../data-folder.ts'
import { startWorker } from '../jobs/loop.ts'
import { followPlatformClock } from '../providers/sandbox/platform-clock.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'
import { startWebhookDispatcher } from '../webhooks/engine/dispatcher.ts'
import { firstRun } from './first-run.ts'
import { keepKeys } from './keep-keys.ts'
import { openDatabase } from './open-database.ts'
import { assertPortIsFree } from './ports.ts'
import { startApi } from './start-api.ts'

/** Those who serve others go on for so long, so that these can turn elsewhere. */
type Close = (graceMs: number) => Promise<void>

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

// Now that calls can come in. Without it both would wait for their next time.
const tellPsp = async ({ runSoon }: Services): Promise<void> => {
  await runSoon('readReceivedPix')
  await runSoon('registerPixWebhook')
}

const openTelemetry = async ({ telemetry }: Config, logger: FastifyBaseLogger): Promise<Telemetry | undefined> => {
  if (telemetry === undefined) return undefined
  const { startTelemetry } = await import('../telemetry/open-telemetry.ts')
  return startTelemetry(telemetry, logger)
}

const announce = ({ logger, mailFolder, config: { providers, production } }: Services, url: string): void => {
  if (production && providers.sandbox.isRouted) {
    logger.warn('the sandbox only simulates money, and is allowed by ALLOW_SANDBOX')
  }
  if (mailFolder) logger.info(`mails are not sent but shown at ${url}/dev/mail`)
  logger.info(`the documentation is at ${url}/docs/`)
  logger.info(`the API is at ${url}/api/v1`)
}

const warnOfSettings = ({ production, plainConnections, mail }: Config, logger: FastifyBaseLogger): void => {
  if (production && plainConnections.length > 0) {
    logger.warn(`without TLS to another machine: ${plainConnections.join(', ')}`)
  }
  if (mail.kind === 'kept') logger.warn('SMTP_URL is not set: mails are kept and not sent')
}

// What would only be noticed later: by the first upload, or when the database and the first administrator are made.
const checkBeforehand = async (config: Config): Promise<void> => {
  if (config.databaseUrl === undefined || config.documentStorage.kind === 'local') openDataFolder(config.dataDir)
  await assertPortIsFree(config)
}

/** Starts what this process is there for, in order, and answers how to end it, in the opposite order. */
export const startPlatform = async (config: Config, logger: FastifyBaseLogger): Promise<Close> => {
  const closers: Close[] = []
  const closeAll: Close = async (graceMs) => {
    for (const close of closers.splice(0).reverse()) await close(graceMs)
  }
  try {
    await checkBeforehand(config)
    const telemetry = await openTelemetry(config, logger)
    closers.push(async () => telemetry?.stop())
    const { database, patient, replica, close } = await openDatabase(config, logger)
    closers.push(close)
    const services = compose({ config, database, patient, replica, clock: createMovableClock(), logger })
    closers.push(async () => services.closeMail(), services.closeProviders)
    warnOfSettings(config, logger)
    // Only the simulated provider lets the platform's time be moved.
    if (config.providers.sandbox.isRouted) closers.push(await followClock(services))
    await keepKeys(services)
    await firstRun(services, config)
    if (config.role !== 'api') {
      closers.push((await startWorker(services)).stop)
      closers.push(startDispatching(services))
    }
    if (config.role === 'worker') {
      await telemetry?.push(createMetrics(services.gauges))
      logger.info('the jobs run')
      return closeAll
    }
    const metrics = createMetrics(services.gauges)
    const api = await startApi(services, metrics)
    closers.push(api.close)
    await telemetry?.push(metrics)
    if (config.providers.pix) await tellPsp(services)
    announce(services, config.publicUrl ?? api.url)
    return closeAll
  } catch (error) {
    await closeAll(0)
    throw error
  }
}
