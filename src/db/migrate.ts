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
// Solid state disks: a page costs the same wherever it lies, so that indexes are used up to large parts of a table. A
// setting of the database, because poolers of connections refuse settings of a connection.
const SET_PAGE_COST = `
  do $$ begin
    execute format('alter database %I set random_page_cost = 1.1', current_database());
  exception when insufficient_privilege then
    raise notice 'random_page_cost is left as it is';
  end $$`

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, application_name: 'payment-platform migrations' })
  await client.connect()
  return client
}

const migrateJobQueue = (url: string): Promise<void> =>
  runMigrations({ connectionString: url, maxPoolSize: 1, logger: silent })

/**
 * Brings the database at `url` up to date, in one transaction: all missing migrations or none; then the job queue's
 * own schema. Any number of processes may call it at once; each returns when the schema is there. Throws what the
 * failing statement threw.
 */
export const migrate = async (url: string, migrationsFolder: string = MIGRATIONS_FOLDER): Promise<void> => {
  // The lock is a transaction's, on a connection of its own: behind a pooler a session is nobody's for long.
  const lock = await connect(url)
  try {
    await lock.query('begin')
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    const client = await connect(url)
    try {
      await applyMigrations(drizzle(client), { migrationsFolder })
      await client.query(SET_PAGE_COST)
    } finally {
      await client.end()
    }
    await migrateJobQueue(url)
  } finally {
    await lock.end()
  }
}
