import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATIONS_FOLDER, migrate } from '../../src/db/migrate.ts'
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
  const [repeated] = await query(
    database.url,
    'select hash from drizzle.__drizzle_migrations group by hash having count(*) > 1',
  )
  expect(repeated).toBeUndefined()
  const copy = await createTestDatabase()
  const expected = await query(copy.url, TABLES)
  await copy.drop()
  expect(await query(database.url, TABLES)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(3)
})

test('a migrated database is left as it is', async () => {
  await migrate(database.url)
  const before = await query(database.url, 'select * from drizzle.__drizzle_migrations order by id')
  await migrate(database.url, MIGRATIONS_FOLDER)
  expect(await query(database.url, 'select * from drizzle.__drizzle_migrations order by id')).toEqual(before)
})

test('a failing migration throws, leaves nothing behind and lets the next one in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  const write = (sql: string): void => {
    writeFileSync(join(folder, '20260101000000_first.sql'), sql)
  }
  try {
    const entry = { idx: 0, version: '7', when: 1, tag: '20260101000000_first', breakpoints: true }
    mkdirSync(join(folder, 'meta'))
    writeFileSync(
      join(folder, 'meta', '_journal.json'),
      JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
    )
    write('create table first (id int);\n--> statement-breakpoint\nselect 1 / 0;')
    await expect(migrate(database.url, folder)).rejects.toThrow()
    expect(await query(database.url, "select to_regclass('first') as found")).toEqual([{ found: null }])
    write('create table first (id int);')
    await migrate(database.url, folder)
    expect(await query(database.url, "select to_regclass('first') as found")).toEqual([{ found: 'first' }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
