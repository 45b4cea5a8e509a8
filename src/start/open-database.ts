import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import { createDatabase, createPool, type Database } from '../db/client.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded.ts'
import { isUnavailable } from '../db/errors.ts'
import { migrate } from '../db/migrate.ts'
import { askAgain } from '../db/replica.ts'
import { StartError } from './start-error.ts'

/**
 * A migrated database, and its replica where there is one. `close` ends the connections and, where it was started here,
 * the server.
 */
export type OpenDatabase = { database: Database; replica: Database | undefined; close: () => Promise<void> }

type Server = { url: string; stop: () => Promise<void> }

// A worker of its own joins the Postgres that the API process runs for the same folder.
const findServer = async ({ databaseUrl, dataDir, role }: Config, log: FastifyBaseLogger): Promise<Server> => {
  const running = databaseUrl ?? (role === 'worker' ? await findEmbeddedPostgres(dataDir) : undefined)
  if (running !== undefined) return { url: running, stop: async () => undefined }
  return await startEmbeddedPostgres({ dataDir, log })
}

const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

const bringUpToDate = async (url: string): Promise<void> => {
  try {
    await migrate(url)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    throw new StartError(`The database at ${placeOf(url)} cannot be reached. Check DATABASE_URL.`, { cause: error })
  }
}

/** Finds or starts the database and brings its schema up to date. Throws StartError when it cannot be reached. */
export const openDatabase = async (config: Config, logger: FastifyBaseLogger): Promise<OpenDatabase> => {
  const server = await findServer(config, logger)
  try {
    await bringUpToDate(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  let closing = false
  const open = (url: string, name: string): Pool =>
    createPool({
      url,
      max: config.poolMax,
      onError: (error) => {
        // The pool may still hold a connection when the embedded server ends, which is no news then.
        if (!closing) logger.warn({ err: error }, `a connection to the ${name} was lost`)
      },
    })
  const database = createDatabase(open(server.url, 'database'))
  const replica =
    config.replicaUrl === undefined ? undefined : createDatabase(askAgain(open(config.replicaUrl, 'replica')))
  const close = async (): Promise<void> => {
    closing = true
    await Promise.all([database.$client.end(), replica?.$client.end()])
    await server.stop()
  }
  return { database, replica, close }
}
