import closeWithGrace from 'close-with-grace'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { createLogger } from '../logging/logger.ts'
import { missingEnvFile, readEnvFile } from './env-file.ts'
import { isExplained } from './start-error.ts'
import { startPlatform } from './start-platform.ts'

/** Everything ends within this time after SIGINT, or the grace after SIGTERM, finished or not. */
const CLOSE_WITHIN_MS = 10_000

const explain = (error: Error): void => {
  process.stderr.write(`${error.message}\n`)
}

const readConfig = (): Config | undefined => {
  try {
    readEnvFile()
    return loadConfig()
  } catch (error) {
    if (!isExplained(error)) throw error
    explain(error)
    const missing = missingEnvFile()
    if (error instanceof ConfigError && missing !== undefined) process.stderr.write(`${missing}\n`)
    return undefined
  }
}

const start = async (config: Config): Promise<void> => {
  const logger = createLogger(config)
  const missing = missingEnvFile()
  if (missing !== undefined) logger.info(missing)
  let starting: ReturnType<typeof startPlatform> | undefined
  // Before anything is started, so that a signal during the start also ends in order.
  closeWithGrace({ delay: CLOSE_WITHIN_MS + config.shutdownGraceMs, logger }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'an unhandled error ends the process')
    else logger.info({ signal }, 'closing')
    const close = await starting?.catch(() => undefined)
    // Whoever presses Ctrl-C waits for nobody; an orchestrator has balancers to tell.
    await close?.(signal === 'SIGTERM' ? config.shutdownGraceMs : 0)
  })
  try {
    starting = startPlatform(config, logger)
    await starting
  } catch (error) {
    if (isExplained(error)) explain(error)
    else logger.fatal({ err: error }, 'the start failed')
    process.exit(1)
  }
}

/** Runs a process of the platform until it is told to end. `role` replaces PROCESS_ROLE. */
export const run = async (role?: Config['role']): Promise<void> => {
  const config = readConfig()
  if (config === undefined) process.exitCode = 1
  else await start(role === undefined ? config : { ...config, role })
}
