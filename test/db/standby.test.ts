import { Client, type PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/db/client.ts'
import { isReadOnly } from '../../src/db/errors.ts'
import { migrate } from '../../src/db/migrate.ts'
import { writableUrl } from '../../src/db/writable-host.ts'
import { startTestApp, TEST_ENVIRONMENT, type TestApp } from '../support/app.ts'
import { adminToken, type Seller } from '../support/factories.ts'
import { createPayment, pay, sellingSeller } from '../support/payments.ts'
import { startServer } from '../support/server-process.ts'
import { type DatabaseAndStandby, startWithStandby } from '../support/standby.ts'
import { until } from '../support/until.ts'

let servers: DatabaseAndStandby
let app: TestApp
let standby: Client

beforeAll(async () => {
  servers = await startWithStandby()
  standby = new Client({ connectionString: servers.standbyUrl })
  await standby.connect()
  const database = { url: servers.url, drop: async () => undefined }
  app = await startTestApp({ DATABASE_REPLICA_URL: servers.standbyUrl }, database)
}, 120_000)

afterAll(async () => {
  await app?.close()
  await standby?.end()
  await servers?.stop()
})

/** What the standby answers to a question about itself. */
const ofStandby = async <Value>(expression: string, values: unknown[] = []): Promise<Value> =>
  (await standby.query(`select ${expression} as value`, values)).rows[0].value

/** Waits until the standby has replayed all that was written so far. */
const caughtUp = async (): Promise<void> => {
  const { rows } = await app.sql.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
  await until('the standby has caught up', () => ofStandby('pg_last_wal_replay_lsn() >= $1::pg_lsn', [rows[0]?.lsn]))
}

const paidSeller = async (): Promise<{ seller: Seller; paymentId: string }> => {
  const seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller)
  await pay(app, seller, id)
  await caughtUp()
  return { seller, paymentId: id }
}

test('what is read there is what was written here, and a server that never writes answers all of it', async () => {
  expect(await ofStandby('pg_is_in_recovery()')).toBe(true)
  const { seller } = await paidSeller()
  const ofSeller = async (path: string) => (await app.api.get(path, { token: seller.token })).body
  expect((await ofSeller('dashboard/summary')).payments.paidCount).toBe(1)
  const { data } = await ofSeller('transactions')
  expect(data.length).toBeGreaterThan(0)
  expect((await ofSeller(`transactions/${data[0].id}`)).id).toBe(data[0].id)
  const token = await adminToken(app)
  for (const path of ['billing', 'dashboard', 'revenue', 'transactions', 'transactions/total']) {
    expect([path, (await app.api.get(`admin/${path}`, { token })).status]).toEqual([path, 200])
  }
})

/** Holds a table as a change of its columns does, which the standby repeats. */
const hold = async (client: PoolClient, table: string): Promise<void> => {
  await client.query('begin')
  await client.query(`lock table ${table} in access exclusive mode`)
  // The lock is in the log, which is sent with the next commit: by then the read may have given up.
  await app.sql.query("select pg_logical_emit_message(true, 'test', '')")
  await caughtUp()
}

test('200: a read that the standby ends, because it is in the way of a change, is asked again', async () => {
  const { seller } = await paidSeller()
  const [first, second] = [await app.sql.connect(), await app.sql.connect()]
  const conflicts = () =>
    ofStandby<string>("(select confl_lock from pg_stat_database_conflicts where datname = 'postgres')")
  try {
    // The read has one of its tables, and waits for the other until it is in the way of who changes the first.
    await hold(first, 'daily_total_changes')
    const answer = app.api.get('transactions', { token: seller.token })
    await until('the read waits', () =>
      ofStandby("exists (select from pg_locks where relation = 'daily_total_changes'::regclass and not granted)"),
    )
    await hold(second, 'daily_totals')
    await until('the read was ended', async () => Number(await conflicts()) > 0)
    for (const client of [first, second]) await client.query('rollback')
    const { status, body } = await answer
    expect([status, body.data.length > 0]).toEqual([200, true])
  } finally {
    for (const client of [first, second]) client.release()
  }
})

test('of two hosts the one that takes writes is connected to, by migrations too, and a standby alone is none', async () => {
  await migrate(servers.urls)
  const pool = createPool({ url: servers.urls, max: 2, onError: () => undefined })
  const { rows } = await pool.query('select pg_is_in_recovery() as is_standby').finally(() => pool.end())
  expect(rows).toEqual([{ is_standby: false }])
  const standbyTwice = servers.standbyUrl.replace(/@([^/]+)/, '@$1,$1')
  await expect(writableUrl(standbyTwice)).rejects.toSatisfy(isReadOnly)
})

test('a start against a standby ends with one line that says what to do', async () => {
  const environment = { ...TEST_ENVIRONMENT, DATABASE_URL: servers.standbyUrl, DATA_DIR: app.config.dataDir }
  const { hostname, port } = new URL(servers.standbyUrl)
  await expect(startServer({ environment })).rejects.toThrow(
    `the server ended with 1:\nThe database at ${hostname}:${port}/postgres takes no writes: it is a standby, or was made read-only. Set DATABASE_URL to the one that is written.`,
  )
})
