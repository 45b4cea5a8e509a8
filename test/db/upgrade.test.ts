import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { findBrokenReleases, RELEASED_ROWS_FOLDER } from '../../scripts/released-schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/db/schema-files.ts'
import { SHOP_PASSWORD } from '../model/opening.ts'
import { ADMIN, proveAll } from '../model/platform.ts'
import { type Answer, startTestApp } from '../support/app.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { getPayment, pay, postPayment } from '../support/payments.ts'
import { unpackRows } from '../support/table-rows.ts'

const SUFFIX = '.jsonl.gz'
const released = (await readdir(RELEASED_ROWS_FOLDER)).map((name) => name.slice(0, -SUFFIX.length)).sort()

/** The migrations as they were when `newest` was the newest of them. */
const migrateTo = async (url: string, newest: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
    const path = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] }
    const entries = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === newest) + 1)
    await writeFile(path, JSON.stringify({ ...journal, entries }))
    await migrate(url, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const tokenOf = ({ body }: Answer): string => body.tokens.accessToken

const BOOKS = `select u.email, coalesce(json_object_agg(a.account, a.balance_amount), '{}') as balances
  from users u join ledger_accounts a on a.seller_id = u.id group by u.email order by 1`

test('a schema that is released has a platform to upgrade', () => {
  expect(released.length).toBeGreaterThan(0)
})

test.each(released)('a platform that %s made is upgraded, and goes on', { timeout: 60_000 }, async (newest) => {
  const database = await createEmptyDatabase()
  const pool = new Pool({ connectionString: database.url })
  await migrateTo(database.url, newest)
  await unpackRows(pool, await readFile(join(RELEASED_ROWS_FOLDER, `${newest}${SUFFIX}`)))
  const books = (await pool.query<{ email: string; balances: Record<string, number> }>(BOOKS)).rows
  await migrate(database.url)

  const applied = await pool.query<{ name: string }>('select name from schema_migrations order by name')
  expect(applied.rows.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name))
  expect((await pool.query(BOOKS)).rows).toEqual(books)
  expect(await proveAll(pool)).toEqual([])
  const clock = await pool.query<{ ms: number }>('select offset_ms::float8 as ms from platform_clock')
  await pool.end()

  const app = await startTestApp({}, database)
  app.clock.setOffsetMs(clock.rows[0]?.ms ?? 0)
  const admin = { token: tokenOf(await app.api.post('auth/login', { body: ADMIN })) }
  expect(await app.api.get('admin/dashboard', admin)).toMatchObject({ status: 200 })
  const sellers = books.filter(({ email }) => email.startsWith('seller-'))
  expect(sellers.length).toBeGreaterThan(1)
  for (const { email, balances } of sellers) {
    const login = await app.api.post('auth/login', { body: { email, password: SHOP_PASSWORD } })
    const seller = { token: tokenOf(login) }
    const balance = await app.api.get('balance', seller)
    expect(balance.body).toMatchObject({ availableAmount: balances.available ?? 0 })
    const { body: payments } = await app.api.get('payments', seller)
    expect(payments.totalRecords).toBeGreaterThan(0)
    const { id } = (await postPayment(app, seller)).body
    await pay(app, seller, id)
    await app.services.providerEvents.idle()
    expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid' })
  }
  expect(await proveAll(app.sql)).toEqual([])
  await app.close()
})

const MIGRATION = { name: '1_first', hash: 'a', statements: [], inTransaction: true }
const FILE = { path: 'src/x.sql', version: 1, hash: 'a', text: '' }
const RELEASED = { migrations: { '1_first': 'a' }, sqlFiles: { 'src/x.sql': { version: 1, hash: 'a' } } }

test('what is released may be added to', () => {
  const migrations = [MIGRATION, { ...MIGRATION, name: '2_second' }]
  const sqlFiles = [
    { ...FILE, version: 2, hash: 'b' },
    { ...FILE, path: 'src/y.sql' },
  ]
  expect(findBrokenReleases(RELEASED, { migrations, sqlFiles })).toEqual([])
})

test('a released migration that is changed or gone, or a file that changed without its version, is found', () => {
  const gone = findBrokenReleases(RELEASED, { migrations: [], sqlFiles: [{ ...FILE, hash: 'b' }] })
  expect(gone).toEqual([expect.stringContaining('1_first'), expect.stringContaining('src/x.sql')])
  const changed = findBrokenReleases(RELEASED, { migrations: [{ ...MIGRATION, hash: 'b' }], sqlFiles: [FILE] })
  expect(changed).toEqual([expect.stringContaining('1_first')])
})
