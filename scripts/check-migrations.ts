import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { migrate } from '../src/db/migrate.ts'
import { MIGRATIONS_FOLDER, readMigrations, readSqlFiles } from '../src/db/schema-files.ts'
import { startEmbeddedServer } from '../test/support/postgres-server.ts'
import { findBrokenReleases, readReleasedSchema } from './released-schema.ts'

const PROJECT_FOLDER = join(import.meta.dirname, '..')
const DRIZZLE_KIT = join(PROJECT_FOLDER, 'node_modules', 'drizzle-kit', 'bin.cjs')

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

type Result = { ok: boolean; output: string }

const drizzleKit = (...args: string[]): Promise<Result> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [DRIZZLE_KIT, ...args], { cwd: PROJECT_FOLDER }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() }),
    )
    // A question about renamed columns has to fail here: nobody is there to answer it.
    child.stdin?.end()
  })

const sqlFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

const checkFiles = async (): Promise<string[]> => {
  const { entries } = journalSchema.parse(
    JSON.parse(await readFile(join(MIGRATIONS_FOLDER, 'meta', '_journal.json'), 'utf8')),
  )
  const files = await sqlFiles(MIGRATIONS_FOLDER)
  const faults: string[] = []
  for (const name of files) {
    if (!/^\d{14}_[a-z0-9_]+\.sql$/.test(name))
      faults.push(`${name}: must be named <YYYYMMDDhhmmss>_<what_it_does>.sql`)
    const text = await readFile(join(MIGRATIONS_FOLDER, name), 'utf8')
    if (!/^-- Why: \S.{10,}/.test(text)) faults.push(`${name}: must begin with "-- Why: " and the reason`)
  }
  const listed = entries.map(({ tag }) => `${tag}.sql`)
  for (const name of files.filter((file) => !listed.includes(file)))
    faults.push(`${name}: is not in meta/_journal.json`)
  // The migrator skips what is not newer than the last one applied, so an older date would never run.
  for (const [index, { tag, when }] of entries.entries()) {
    const before = entries[index - 1]
    if (before && before.when >= when) faults.push(`${tag}: must be newer than ${before.tag}; generate it again`)
  }
  return faults
}

const checkReleased = async (): Promise<string[]> =>
  findBrokenReleases(readReleasedSchema(), { migrations: readMigrations(), sqlFiles: readSqlFiles() })

const checkDrizzle = async (): Promise<string[]> => {
  const { ok, output } = await drizzleKit('check')
  return ok && output.includes("Everything's fine") ? [] : [`drizzle-kit check: ${output}`]
}

const checkGenerated = async (): Promise<string[]> => {
  const copy = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    await cp(MIGRATIONS_FOLDER, copy, { recursive: true })
    const before = await sqlFiles(copy)
    const schema = ['--dialect', 'postgresql', '--schema', './src/**/*.tables.ts']
    // drizzle-kit understands only relative folders.
    const { ok, output } = await drizzleKit('generate', ...schema, '--out', relative(PROJECT_FOLDER, copy))
    if (!ok) return [`drizzle-kit generate: ${output}`]
    const added = (await sqlFiles(copy)).filter((name) => !before.includes(name))
    const statements = await Promise.all(added.map((name) => readFile(join(copy, name), 'utf8')))
    return statements.map((text) => `the tables have changes without a migration (npm run db:generate):\n${text}`)
  } finally {
    await rm(copy, { recursive: true })
  }
}

// An index serves a foreign key when it begins with the key's columns, in any order, and leaves out at most nulls.
const UNINDEXED_FOREIGN_KEYS = `
  select c.conrelid::regclass || '.' || c.conname as name
  from pg_constraint c
  where c.contype = 'f' and not exists (
    select from pg_index i
    where i.indrelid = c.conrelid
      and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
      and (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(c.conkey)] @> c.conkey)
  order by 1`

const checkForeignKeys = async (): Promise<string[]> => {
  const server = await startEmbeddedServer()
  try {
    await migrate(server.adminUrl)
    const client = new Client({ connectionString: server.adminUrl })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(UNINDEXED_FOREIGN_KEYS).finally(() => client.end())
    return rows.map(({ name }) => `${name}: no index begins with the columns of this foreign key`)
  } finally {
    await server.stop()
  }
}

const checks = [checkFiles, checkReleased, checkDrizzle, checkGenerated, checkForeignKeys]
const faults = (await Promise.all(checks.map((check) => check()))).flat()
for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'migrations: fine' : `migrations: ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
