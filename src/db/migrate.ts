import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { Logger, runMigrations } from 'graphile-worker'
import { Client } from 'pg'

/** The SQL files that make the schema, with drizzle-kit's journal in `meta`. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', '..', 'migrations')

// Any fixed number does: it names the lock within one database.
const MIGRATION_LOCK = 7_246_013_951

const silent = new Logger(() => () => undefined)

// The job queue brings its own schema, which every process needs: those without a worker put jobs into it.
const migrateJobQueue = (url: string): Promise<void> =>
  runMigrations({ connectionString: url, maxPoolSize: 1, logger: silent })

/**
 * Brings the database at `url` up to date, in one transaction: all missing migrations or none; then the job queue's
 * own schema. Any number of processes may call it at once; each returns when the schema is there. Throws what the
 * failing statement threw.
 */
export const migrate = async (url: string, migrationsFolder: string = MIGRATIONS_FOLDER): Promise<void> => {
  // The lock belongs to the session, so it needs a connection of its own; closing it is what releases the lock.
  const client = new Client({ connectionString: url, application_name: 'payment-platform migrations' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await applyMigrations(drizzle(client), { migrationsFolder })
    await migrateJobQueue(url)
  } finally {
    await client.end()
  }
}
