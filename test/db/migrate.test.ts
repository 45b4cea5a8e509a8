import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { MigrationError, migrate } from '../../src/db/migrate.ts'
import { MIGRATIONS_FOLDER } from '../../src/db/schema-files.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return await client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const TABLES = `select table_schema, table_name, column_name, data_type from information_schema.columns
  where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, 3`

test('four processes that migrate one empty database at once apply every migration once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)))
  const [repeated] = await query(database.url, 'select hash from schema_migrations group by hash having count(*) > 1')
  expect(repeated).toBeUndefined()
  const copy = await createTestDatabase()
  const expected = await query(copy.url, TABLES)
  await copy.drop()
  expect(await query(database.url, TABLES)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(3)
})

test('a migrated database is left as it is', async () => {
  await migrate(database.url)
  const before = await query(database.url, 'select * from schema_migrations order by name')
  await migrate(database.url, MIGRATIONS_FOLDER)
  expect(await query(database.url, 'select * from schema_migrations order by name')).toEqual(before)
})

const FILE = 'src/daily-totals/sql/customers.sql'

const appliedFile = () => query(database.url, `select version, hash from schema_sql_files where path = '${FILE}'`)

test('a file of SQL that has changed is applied again', async () => {
  await migrate(database.url)
  const applied = await appliedFile()
  await query(database.url, `update schema_sql_files set hash = 'another' where path = '${FILE}'`)
  await query(database.url, 'drop function daily_totals_of(customers)')
  await migrate(database.url)
  expect(await appliedFile()).toEqual(applied)
  expect(await query(database.url, "select to_regprocedure('daily_totals_of(customers)') is null as gone")).toEqual([
    { gone: false },
  ])
})

test('a process of the version before leaves what a newer one has put in force', async () => {
  await migrate(database.url)
  const newer = { version: 99, hash: 'newer' }
  await query(database.url, `update schema_sql_files set version = 99, hash = 'newer' where path = '${FILE}'`)
  await query(database.url, "insert into schema_migrations values ('99990101000000_newer', 'newer', now())")
  await migrate(database.url)
  expect(await appliedFile()).toEqual([newer])
})

test('a database of before the baseline is refused with one line, and left alone', async () => {
  await query(database.url, 'create schema drizzle; create table drizzle.__drizzle_migrations (id int)')
  const refusal = await migrate(database.url).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(MigrationError)
  expect((refusal as Error).message).toMatch(/^This database is of a version before the first release.*\.$/)
  expect(await query(database.url, "select to_regclass('schema_migrations') as found")).toEqual([{ found: null }])
})

/** A history of one migration, which `write` sets. */
const ownHistory = () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const entry = { idx: 0, version: '7', when: 1, tag: '20260101000000_first', breakpoints: true }
  mkdirSync(join(folder, 'meta'))
  const journal = { version: '7', dialect: 'postgresql', entries: [entry] }
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
  return { folder, write: (sql: string): void => writeFileSync(join(folder, `${entry.tag}.sql`), sql) }
}

test('a failing migration throws, leaves nothing behind and lets the next one in', async () => {
  const { folder, write } = ownHistory()
  write('create table first (id int);\n--> statement-breakpoint\nselect 1 / 0;')
  await expect(migrate(database.url, folder)).rejects.toThrow()
  expect(await query(database.url, "select to_regclass('first') as found")).toEqual([{ found: null }])
  write('create table first (id int);')
  await migrate(database.url, folder)
  expect(await query(database.url, "select to_regclass('first') as found")).toEqual([{ found: 'first' }])
})

test('an index that is made concurrently waits for no other process that starts, and one left half made is made anew', async () => {
  const { folder, write } = ownHistory()
  await query(database.url, 'create table first (id int); insert into first values (1), (1)')
  // What a process leaves behind that dies within, or meets two rows that are alike.
  await expect(query(database.url, 'create unique index concurrently first_id_uq on first (id)')).rejects.toThrow()
  await query(database.url, 'delete from first')
  write('-- Transaction: none\ncreate unique index concurrently if not exists first_id_uq on first (id);')
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, folder)))
  const [index] = await query(
    database.url,
    "select indisvalid from pg_index where indexrelid = 'first_id_uq'::regclass",
  )
  expect(index).toEqual({ indisvalid: true })
})

test('npm run db:migrate says in one line why it cannot, without a stack', async () => {
  await query(database.url, 'create schema drizzle; create table drizzle.__drizzle_migrations (id int)')
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'migrate.ts')
  const child = spawn(process.execPath, [script], { env: { ...process.env, DATABASE_URL: database.url } })
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([child.exitCode, stderr]).toEqual([
    1,
    'This database is of a version before the first release, which cannot be upgraded: use an empty one.\n',
  ])
})
