import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { MIGRATIONS_FOLDER } from './migrate.ts'

const ANSWER_WITHIN_MS = 2_000

// The migrator knows a migration by the time in the journal; the newest one applied tells about all before it.
const LAST_APPLIED = 'select max(created_at)::text as applied_at from drizzle.__drizzle_migrations'

type Journal = { entries: { when: number }[] }

const newestMigration = (folder: string): number => {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal
  return Math.max(0, ...journal.entries.map(({ when }) => when))
}

const withinDeadline = async <Result>(work: Promise<Result>): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the database did not answer in time')), ANSWER_WITHIN_MS)
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** What the database says of itself. Neither throws: no answer is an answer. */
export const createReadiness = (pool: Pool, migrationsFolder: string = MIGRATIONS_FOLDER) => {
  const newest = newestMigration(migrationsFolder)
  const ask = async (query: string): Promise<{ applied_at?: string | null } | undefined> => {
    try {
      const { rows } = await withinDeadline(pool.query<{ applied_at?: string | null }>(query))
      return rows[0]
    } catch {
      return undefined
    }
  }
  return {
    /** Whether a statement is answered within two seconds. */
    isReachable: async (): Promise<boolean> => (await ask('select 1')) !== undefined,
    /** Whether every migration of this version has been applied. */
    isMigrated: async (): Promise<boolean> => Number((await ask(LAST_APPLIED))?.applied_at ?? -1) >= newest,
  }
}

export type Readiness = ReturnType<typeof createReadiness>
