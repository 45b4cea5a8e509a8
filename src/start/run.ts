import { existsSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import { type Config, loadConfig } from '../config.ts'
import { createLogger } from '../logging/logger.ts'
import { isExplained } from './start-error.ts'
import { startPlatform } from './start-platform.ts'

/** Everything ends within this time after SIGINT or SIGTERM, finished or not. */
const CLOSE_WITHIN_MS = 10_000

const explain = (error: Error): void => {
  process.stderr.write(`${error.message}\n`)
}

const ENV_FILE = '.env'

const readConfig = (): Config | undefined => {
  try {
    // What the shell says wins over the file.
    if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
    return loadConfig()
  } catch (error) {
    if (!isExplained(error)) throw error
    explain(error)
    return undefined
  }
}

const start = async (config: Config): Promise<void> => {
  const logger = createLogger(config)
  let starting: Promise<() => Promise<void>> | undefined
  // Before anything is started, so that a signal during the start also ends in order.
  closeWithGrace({ delay: CLOSE_WITHIN_MS, logger }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'an unhandled error ends the process')
    else logger.info({ signal }, 'closing')
    const close = await starting?.catch(() => undefined)
    await close?.()
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
