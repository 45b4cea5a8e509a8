import type { Pool } from 'pg'
import { MIGRATIONS_FOLDER, readMigrations } from './schema-files.ts'

const ANSWER_WITHIN_MS = 2_000

const NEWEST_APPLIED = 'select max(name) as newest from schema_migrations'

// Writes to the log of changes, where every commit goes, and to no table: it hangs where commits do. No row: on a standby, and
// where transactions were made read-only.
const PROBE_OF_WRITING = `
  select pg_logical_emit_message(true, 'payment-platform', 'readiness')
  where current_setting('transaction_read_only') = 'off'`

const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'

// With a synchronous standby every commit waits for some milliseconds. Longer than this, the standby is lost.
const WAITING_COMMITS = `
  select count(*)::int as count from pg_stat_activity
  where wait_event = 'SyncRep' and query_start < clock_timestamp() - interval '2 seconds'`

const withinDeadline = async <Result>(work: Promise<Result>): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the database did not answer in time')), ANSWER_WITHIN_MS)
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** Has those who ask at the same time share one answer. */
const shared = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

/** What the database says of itself. None throws: no answer is an answer. */
export const createReadiness = (pool: Pool, migrationsFolder: string = MIGRATIONS_FOLDER) => {
  const newest = readMigrations(migrationsFolder).at(-1)?.name ?? ''
  const ask = async (query: string): Promise<{ newest?: string | null } | undefined> => {
    try {
      const { rows } = await withinDeadline(pool.query<{ newest?: string | null }>(query))
      return rows[0]
    } catch {
      return undefined
    }
  }
  return {
    /** Whether a statement is answered within two seconds. */
    isReachable: async (): Promise<boolean> => (await ask('select 1')) !== undefined,
    /** Whether a write is committed within two seconds: not on a standby, and not while commits wait for one that is lost. */
    isWritable: shared(async (): Promise<boolean> => (await ask(PROBE_OF_WRITING)) !== undefined),
    /** Whether every migration of this version has been applied. */
    isMigrated: async (): Promise<boolean> => ((await ask(NEWEST_APPLIED))?.newest ?? '') >= newest,
  }
}

/** How many commits have waited for a synchronous standby for more than two seconds, of all processes of this role. */
export const countWaitingCommits = async (pool: Pool): Promise<number> =>
  (await pool.query<{ count: number }>(WAITING_COMMITS)).rows[0]?.count ?? 0

/** How far a clock is ahead of the database's, in milliseconds, or behind where negative. The way there and back counts half. */
export const readClockSkewMs = async (pool: Pool, now: () => Date): Promise<number> => {
  const askedAtMs = now().getTime()
  const { rows } = await withinDeadline(pool.query<{ ms: number }>(CLOCK))
  return (askedAtMs + now().getTime()) / 2 - (rows[0]?.ms ?? 0)
}

export type Readiness = ReturnType<typeof createReadiness>
