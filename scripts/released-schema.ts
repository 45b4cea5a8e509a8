import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MIGRATIONS_FOLDER, type Migration, type SqlFile } from '../src/db/schema-files.ts'

const releasedSchema = z.strictObject({
  /** Name to hash. */
  migrations: z.record(z.string(), z.string()),
  /** Path to version and hash. */
  sqlFiles: z.record(z.string(), z.strictObject({ version: z.int(), hash: z.string() })),
})

/** What strangers' databases were made with. */
export type ReleasedSchema = z.infer<typeof releasedSchema>

export const RELEASED_FILE = join(MIGRATIONS_FOLDER, 'released.json')

/** A small platform of each released schema, named after its newest migration. */
export const RELEASED_ROWS_FOLDER = join(import.meta.dirname, '..', 'test', 'db', 'released')

export const readReleasedSchema = (): ReleasedSchema =>
  existsSync(RELEASED_FILE)
    ? releasedSchema.parse(JSON.parse(readFileSync(RELEASED_FILE, 'utf8')))
    : { migrations: {}, sqlFiles: {} }

type SchemaFiles = { migrations: readonly Migration[]; sqlFiles: readonly SqlFile[] }

/** What was changed though it is released, and must not be: databases that have it would never see the change. */
export const findBrokenReleases = (released: ReleasedSchema, files: SchemaFiles): string[] => {
  const hashes = new Map(files.migrations.map(({ name, hash }) => [name, hash]))
  const rewritten = Object.entries(released.migrations)
    .filter(([name, hash]) => hashes.get(name) !== hash)
    .map(([name]) => `${name}: is released and must stay as it is; add a migration`)
  const unnumbered = files.sqlFiles.flatMap(({ path, version, hash }) => {
    const before = released.sqlFiles[path]
    if (before === undefined || before.hash === hash || version > before.version) return []
    return [`${path}: version ${before.version} of it is released; give what changed the version ${before.version + 1}`]
  })
  return [...rewritten, ...unnumbered]
}
