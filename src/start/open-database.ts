import { readdir } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import { createDatabase, createPool, type Database } from '../db/client.ts'
import { findEmbeddedPostgres, hadCluster, startEmbeddedPostgres } from '../db/embedded.ts'
import { type Limits, LONG_LIMITS, REQUEST_LIMITS } from '../db/limits.ts'
import { migrate } from '../db/migrate.ts'
import { askAgain } from '../db/replica.ts'
import { databaseFault } from './database-faults.ts'
import { StartError } from './start-error.ts'

/**
 * A migrated database, the same for work that takes long, and its replica where there is one. `close` ends the connections
 * and, where it was started here, the server.
 */
export type OpenDatabase = {
  database: Database
  patient: Database
  replica: Database | undefined
  close: () => Promise<void>
}

/** Of the connections of a process, one in four is for work that takes long: it cannot take them all. */
const PATIENT_SHARE = 4

/** A Postgres that runs. `stop` ends it where it was started here. */
export type Server = { url: string; stop: () => Promise<void> }

// Documents are of companies in some database. Where that is another one, it was only forgotten to name it.
const assertDocumentsAreOurs = async ({
  dataDir,
  documentStorage,
}: Pick<Config, 'dataDir' | 'documentStorage'>): Promise<void> => {
  if (documentStorage.kind !== 'local' || (await hadCluster(dataDir))) return
  const documents = await readdir(documentStorage.folder).catch(() => [])
  if (documents.length === 0) return
  throw new StartError(
    `${documentStorage.folder} holds documents of a platform whose database is not in ${dataDir}. Set DATABASE_URL to it, or DATA_DIR to a new folder for an empty platform.`,
  )
}

/**
 * The Postgres of the configuration, as it is. A worker of its own, and every tool that says it is one, joins the Postgres that
 * another process runs for the same folder. Throws StartError or EmbeddedPostgresError when it cannot be started.
 */
export const findServer = async (
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'role' | 'documentStorage'>,
  log: FastifyBaseLogger,
): Promise<Server> => {
  const { databaseUrl, dataDir, role } = config
  const running = databaseUrl ?? (role === 'worker' ? await findEmbeddedPostgres(dataDir) : undefined)
  if (running !== undefined) return { url: running, stop: async () => undefined }
  await assertDocumentsAreOurs(config)
  return await startEmbeddedPostgres({ dataDir, log })
}

const bringUpToDate = async (url: string): Promise<void> => {
  try {
    await migrate(url)
  } catch (error) {
    throw databaseFault(error, url)
  }
}

/** Finds or starts the database and brings its schema up to date. Throws StartError or EmbeddedPostgresError when it cannot be used. */
export const openDatabase = async (config: Config, logger: FastifyBaseLogger): Promise<OpenDatabase> => {
  const server = await findServer(config, logger)
  try {
    await bringUpToDate(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  let closing = false
  const open = (url: string, name: string, max: number, limits: Limits): Pool =>
    createPool({
      url,
      max,
      limits,
      onError: (error) => {
        // The pool may still hold a connection when the embedded server ends, which is no news then.
        if (!closing) logger.warn({ err: error }, `a connection to the ${name} was lost`)
      },
    })
  const patientMax = Math.max(1, Math.floor(config.poolMax / PATIENT_SHARE))
  const database = createDatabase(open(server.url, 'database', config.poolMax - patientMax, REQUEST_LIMITS))
  const patient = createDatabase(open(server.url, 'database', patientMax, LONG_LIMITS))
  const replica =
    config.replicaUrl === undefined
      ? undefined
      : createDatabase(askAgain(open(config.replicaUrl, 'replica', config.poolMax, LONG_LIMITS)))
  const close = async (): Promise<void> => {
    closing = true
    await Promise.all([database, patient, replica].map((one) => one?.$client.end()))
    await server.stop()
  }
  return { database, patient, replica, close }
}
