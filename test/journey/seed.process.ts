import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { runScript } from '../support/script-process.ts'
import { startServer } from '../support/server-process.ts'

const MINUTES_MS = 60_000
const PASSWORD = 'a long administrator password'

let database: TestDatabase
let dataDir: string
let environment: Record<string, string>
let sql: Pool
let seeded: Awaited<ReturnType<typeof runScript>>

const countBy = async (table: string, column: string): Promise<Record<string, number>> => {
  const { rows } = await sql.query(`select ${column} as name, count(*)::int as count from ${table} group by 1`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

beforeAll(async () => {
  database = await createEmptyDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'seed-'))
  environment = { DATABASE_URL: database.url, DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD }
  sql = new Pool({ connectionString: database.url, max: 2 })
  // With a platform that runs: its jobs, which live in the present, must leave the demo's past alone.
  const server = await startServer({ environment })
  seeded = await runScript('scripts/seed.ts', [], environment)
  await server.stop()
}, 5 * MINUTES_MS)

afterAll(async () => {
  await sql.end()
  await database.drop()
  await rm(dataDir, { recursive: true })
})

test('the demo ends with its ledger proven and its log-ins printed', async () => {
  expect(seeded).toMatchObject({ code: 0, stderr: '' })
  expect(seeded.stdout).toMatch(/^12 sellers, \d+ payments, \d+ withdrawals\.\nThe ledger is proven/m)
  expect(seeded.stdout.match(/^day \d+ of 90$/gm)?.length).toBeGreaterThan(10)
  expect(seeded.stdout.match(/@example\.com/g)).toHaveLength(12)
  expect(await proveLedger(createDatabase(sql))).toEqual([])
})

test('companies, payments, withdrawals, reserves and webhooks are there in every state', async () => {
  expect(await countBy('companies', 'status')).toEqual({
    draft: 1,
    awaiting_approval: 2,
    changes_requested: 1,
    rejected: 1,
    suspended: 1,
    approved: 6,
  })
  expect(Object.keys(await countBy('payment_links', 'status'))).toEqual(expect.arrayContaining(['active', 'completed']))
  expect(Object.keys(await countBy('payments', 'status'))).toEqual(
    expect.arrayContaining(['pending', 'paid', 'expired', 'canceled', 'failed']),
  )
  expect(Object.keys(await countBy('payments', 'method')).sort()).toEqual(['boleto', 'credit_card', 'pix'])
  expect(Object.keys(await countBy('withdrawals', 'status'))).toEqual(
    expect.arrayContaining(['pending_approval', 'completed', 'failed', 'rejected', 'canceled', 'returned']),
  )
  expect(await countBy('payment_settlements', 'status')).toMatchObject({
    waiting: expect.any(Number),
    available: expect.any(Number),
  })
  expect(await countBy('reserve_holds', 'status')).toMatchObject({
    held: expect.any(Number),
    released: expect.any(Number),
  })
  expect((await countBy('webhook_deliveries', 'status')).succeeded).toBeGreaterThan(100)
  expect(await countBy('users', 'role')).toEqual({ admin: 1, seller: 12 })
})

test('history is three months long and in order, as if it had been lived', async () => {
  const { rows: days } = await sql.query(
    "select count(distinct (created_at at time zone 'America/Sao_Paulo')::date)::int as count from ledger_transfers",
  )
  expect(days[0].count).toBeGreaterThan(80)
  const { rows: backwards } = await sql.query(
    `select count(*)::int as count from (
       select created_at, lag(created_at) over (partition by seller_id, account order by id) as before
       from ledger_postings
     ) as statement where created_at < before`,
  )
  expect(backwards[0].count).toBe(0)
  const { rows: early } = await sql.query(
    "select count(*)::int as count from payment_settlements where available_on > (now() + interval '1 day')::date and status = 'available'",
  )
  expect(early[0].count).toBe(0)
})

test('its sellers log in to a platform that starts on it, and see their money', { timeout: MINUTES_MS }, async () => {
  const server = await startServer({ environment })
  const password = /password is "(.+)"/.exec(seeded.stdout)?.[1]
  const login = await server.api.post('auth/login', { body: { email: 'padaria@example.com', password } })
  expect(login.status).toBe(200)
  const { accessToken: token } = login.body.tokens
  const balance = await server.api.get('balance', { token })
  expect(balance.body.totalAmount).toBeGreaterThan(0)
  expect((await server.api.get('payments', { token })).body.totalRecords).toBeGreaterThan(100)
  expect(await server.stop()).toBe(0)
})

test('a platform that has sellers is refused in one line and left as it is', { timeout: MINUTES_MS }, async () => {
  const before = await countBy('payments', 'status')
  expect(await runScript('scripts/seed.ts', [], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This platform has sellers already. The demo is for an empty one.\n',
  })
  expect(await countBy('payments', 'status')).toEqual(before)
})

test('production is refused in one line', async () => {
  const production = {
    NODE_ENV: 'production',
    JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
    ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
    PUBLIC_URL: 'https://pay.example.com',
    PROVIDER: 'sandbox',
    ALLOW_SANDBOX: 'true',
  }
  expect(await runScript('scripts/seed.ts', [], { ...environment, ...production })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The demo is not for production: its accounts have a known password.\n',
  })
})
