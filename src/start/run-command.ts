import { type Config, loadConfig } from '../config.ts'
import { createDatabase, createPool, type Database } from '../db/client.ts'
import { sqlState } from '../db/errors.ts'
import { COMMAND_LIMITS } from '../db/limits.ts'
import { createLogger } from '../logging/logger.ts'
import { databaseFault } from './database-faults.ts'
import { readEnvFile } from './env-file.ts'
import { findServer, type Server } from './open-database.ts'
import { isExplained, StartError } from './start-error.ts'

/** Runs what an operator asked for to its end. What explains itself is one line on stderr and exit code 1. */
export const explain = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!isExplained(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Runs an operator's command with the configuration of the platform. */
export const runCommand = (work: (config: Config) => Promise<void>): Promise<void> =>
  explain(async () => {
    readEnvFile()
    await work(loadConfig())
  })

/**
 * Hands a command the Postgres of the platform: that of a running one is joined, otherwise it runs for as long as the work
 * takes. Throws StartError when it cannot be used.
 */
export const withServer = async (config: Config, work: (server: Server) => Promise<void>): Promise<void> => {
  const logger = createLogger({ production: config.production, logLevel: 'error' })
  const server = await findServer({ ...config, role: 'worker' }, logger)
  try {
    await work(server)
  } catch (error) {
    throw databaseFault(error, server.url)
  } finally {
    await server.stop()
  }
}

const UNDEFINED_TABLE = '42P01'

/** As withServer, with a connection to the database as it is: nothing is migrated. */
export const withDatabase = (config: Config, work: (database: Database) => Promise<void>): Promise<void> =>
  withServer(config, async ({ url }) => {
    const pool = createPool({
      url,
      max: 1,
      limits: COMMAND_LIMITS,
      onError: (error) => process.stderr.write(`${error.message}\n`),
    })
    try {
      await work(createDatabase(pool))
    } catch (error) {
      if (sqlState(error) !== UNDEFINED_TABLE) throw error
      throw new StartError('The database has not the tables of this version. Run: npm run db:migrate', { cause: error })
    } finally {
      await pool.end()
    }
  })
