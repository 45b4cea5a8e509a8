import type { Pool } from 'pg'
import { MIGRATIONS_FOLDER, readMigrations } from './schema-files.ts'

const ANSWER_WITHIN_MS = 2_000

const NEWEST_APPLIED = 'select max(name) as newest from schema_migrations'

// Writes to the log of changes, where every commit goes, and to no table: it hangs where commits do. No row: on a standby, and
// where transactions were made read-only.
const PROBE_OF_WRITING = `
  select pg_logical_emit_message(true, 'payment-platform', 'readiness')
  where current_setting('transaction_read_only') = 'off'`

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

export type Readiness = ReturnType<typeof createReadiness>
