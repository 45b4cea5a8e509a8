import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invariant } from '../domain/invariant.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The migrations, with drizzle-kit's journal in `meta`. */
export const MIGRATIONS_FOLDER = join(ROOT, 'migrations')

/** One step of the schema's history, applied once. */
export type Migration = {
  name: string
  hash: string
  statements: readonly string[]
  /** `-- Transaction: none` in its head: for what Postgres refuses within one, as `create index concurrently`. */
  inTransaction: boolean
}

/**
 * What computes in the database, one subject a file: the text that is in force. A file whose version is higher than the one in
 * the database is applied, and never a lower one: during an upgrade, processes of the version before still start.
 */
export type SqlFile = { path: string; version: number; hash: string; text: string }

type Journal = { entries: { tag: string }[] }

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const VERSION = /^-- Version: (\d+)$/m
const OUTSIDE_TRANSACTION = /^-- Transaction: none\b/m

/** Every migration, oldest first. */
export const readMigrations = (folder: string = MIGRATIONS_FOLDER): Migration[] => {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal
  return entries.map(({ tag }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    const statements = text.split('--> statement-breakpoint')
    return { name: tag, hash: hashOf(text), statements, inTransaction: !OUTSIDE_TRANSACTION.test(text) }
  })
}

/** Every file of SQL in src, by its path. Throws for one that does not say its version. */
export const readSqlFiles = (): SqlFile[] =>
  globSync('src/**/*.sql', { cwd: ROOT })
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const version = VERSION.exec(text)?.[1]
      invariant(version !== undefined, `${path} does not begin with "-- Version: <number>"`)
      return { path, version: Number(version), hash: hashOf(text), text }
    })
