import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { sqlState } from './errors.ts'
import { MIGRATIONS_FOLDER, type Migration, readMigrations, readSqlFiles, type SqlFile } from './schema-files.ts'
import { writableUrl } from './writable-host.ts'

/** A database that this version cannot bring up to date. The message says why, and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

// Any fixed number does: it names the lock within one database.
const MIGRATION_LOCK = 7_246_013_951

/**
 * No request waits longer than this behind a migration that waits for its table: at first less than requests wait for a lock at
 * all; where that does not do, because transactions take longer, as long as a batch that is taken apart.
 */
const LOCK_WAITS_MS = [300, 300, 300, 300, 600, 600, 600, 600, 1_000] as const
const LOCK_WAIT_LAST_MS = 1_000
const LOCK_ATTEMPTS_MAX = 60
const TRY_AGAIN_MS = 250
const TURN_POLL_MS = 200
/** The table was busy, or another process and the migration waited for each other. */
const BUSY_STATES: ReadonlySet<string | undefined> = new Set(['55P03', '40P01'])

// Solid state disks: a page costs the same wherever it lies, so that indexes are used up to large parts of a table. A
// setting of the database, because poolers of connections refuse settings of a connection.
const SET_PAGE_COST = `
  do $$ begin
    execute format('alter database %I set random_page_cost = 1.1', current_database());
  exception when insufficient_privilege then
    raise notice 'random_page_cost is left as it is';
  end $$`

const HISTORY = `
  create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null);
  create table if not exists schema_sql_files (path text primary key, version integer not null, hash text not null,
    applied_at timestamptz not null)`

// Where the versions before the first release kept their history.
const BEFORE_THE_BASELINE = `select to_regclass('drizzle.__drizzle_migrations') is not null as found`

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, application_name: 'payment-platform migrations' })
  await client.connect()
  return client
}

const inTransaction = async (client: Client, attempt: number, work: () => Promise<void>): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_WAITS_MS[attempt - 1] ?? LOCK_WAIT_LAST_MS}`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

// Whoever waits for a table holds up everybody who comes after: so it gives up soon, and tries again.
const patiently = async (work: (attempt: number) => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS_MAX || !BUSY_STATES.has(sqlState(error))) throw error
      await wait(TRY_AGAIN_MS)
    }
  }
}

const CONCURRENT_INDEX = /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i

const IS_BROKEN = 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid'

// One that was being built when its process died is there, but answers nothing.
const dropBrokenIndex = async (client: Client, statement: string): Promise<void> => {
  const index = CONCURRENT_INDEX.exec(statement)?.[1]
  if (index === undefined) return
  const { rowCount } = await client.query(IS_BROKEN, [`"${index}"`])
  if (rowCount === 1) await client.query(`drop index concurrently "${index}"`)
}

const applyMigration = (client: Client, { name, hash, statements, inTransaction: whole }: Migration): Promise<void> => {
  const run = async (): Promise<void> => {
    for (const statement of statements) {
      if (!whole) await dropBrokenIndex(client, statement)
      await client.query(statement)
    }
    await client.query('insert into schema_migrations values ($1, $2, now())', [name, hash])
  }
  return whole ? patiently((attempt) => inTransaction(client, attempt, run)) : run()
}

const applyMigrations = async (client: Client, folder: string): Promise<void> => {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map(({ name }) => name))
  for (const migration of readMigrations(folder).filter(({ name }) => !applied.has(name))) {
    await applyMigration(client, migration)
  }
}

type AppliedFile = { path: string; version: number; hash: string }

// What another text of the same version means is known only where it is written: there, the newest is in force.
const isNewer = (file: SqlFile, applied: AppliedFile | undefined): boolean =>
  applied === undefined ||
  file.version > applied.version ||
  (file.version === applied.version && file.hash !== applied.hash)

const applySqlFiles = async (client: Client): Promise<void> => {
  const { rows } = await client.query<AppliedFile>('select path, version, hash from schema_sql_files')
  const applied = new Map(rows.map((row) => [row.path, row]))
  const newer = readSqlFiles().filter((file) => isNewer(file, applied.get(file.path)))
  if (newer.length === 0) return
  const run = async (): Promise<void> => {
    // They may name each other, whatever their order.
    await client.query('set local check_function_bodies = off')
    for (const { path, version, hash, text } of newer) {
      await client.query(text)
      await client.query(
        `insert into schema_sql_files values ($1, $2, $3, now())
         on conflict (path) do update set version = $2, hash = $3, applied_at = now()`,
        [path, version, hash],
      )
    }
  }
  await patiently((attempt) => inTransaction(client, attempt, run))
}

const POSTGRES_MIN = 18

const assertNewEnough = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ version: string; major: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major`,
  )
  const { version = '', major = 0 } = rows[0] ?? {}
  if (major >= POSTGRES_MIN) return
  throw new MigrationError(`This is Postgres ${version}, and the platform needs ${POSTGRES_MIN} or newer.`)
}

const bringUpToDate = async (client: Client, folder: string): Promise<void> => {
  await assertNewEnough(client)
  const { rows } = await client.query<{ found: boolean }>(BEFORE_THE_BASELINE)
  if (rows[0]?.found === true) {
    throw new MigrationError(
      'This database is of a version before the first release, which cannot be upgraded: use an empty one.',
    )
  }
  await client.query(HISTORY)
  await applyMigrations(client, folder)
  if (folder === MIGRATIONS_FOLDER) await applySqlFiles(client)
  await client.query(SET_PAGE_COST)
}

// An index that is made concurrently waits for all who hold a snapshot, and would wait for ever for one who waits for it. So it
// is asked again and again, not waited for within a statement, and asked without parameters: with them Postgres keeps the
// statement's snapshot until the transaction ends.
const takeTurn = async (lock: Client): Promise<void> => {
  for (;;) {
    await lock.query('begin')
    const { rows } = await lock.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`,
    )
    if (rows[0]?.taken === true) return
    await lock.query('rollback')
    await wait(TURN_POLL_MS)
  }
}

/**
 * Brings the database of an URL up to date: the missing migrations, each in a transaction of its own, then the files of SQL
 * that have changed. Any number of processes may call it at once; each returns when the schema is there. Throws
 * MigrationError for a database that cannot be upgraded, and what the failing statement threw.
 */
export const migrate = async (database: string, migrationsFolder: string = MIGRATIONS_FOLDER): Promise<void> => {
  const url = await writableUrl(database)
  // The lock is a transaction's, on a connection of its own: behind a pooler a session is nobody's for long.
  const lock = await connect(url)
  try {
    await takeTurn(lock)
    const client = await connect(url)
    try {
      await bringUpToDate(client, migrationsFolder)
    } finally {
      await client.end()
    }
  } finally {
    await lock.end()
  }
}
