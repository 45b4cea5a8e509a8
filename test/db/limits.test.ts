import { sql } from 'drizzle-orm'
import { Client, type Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { isLockTimeout, isSilence, isUnavailable, sqlState } from '../../src/db/errors.ts'
import { type Limits, LONG_LIMITS, REQUEST_LIMITS } from '../../src/db/limits.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const SHORT: Limits = { answerMs: 10_000, statementMs: 200, lockMs: 100, idleInTransactionMs: 300 }

let server: TestDatabase
const pools: Pool[] = []

beforeAll(async () => {
  server = await createEmptyDatabase()
  await open().query('create table things (id int primary key, count int not null)')
  await open().query('insert into things values (1, 0), (2, 0)')
})
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
})
afterAll(() => server.drop())

const open = (limits?: Limits): Pool => {
  const pool = createPool({ url: server.url, max: 2, onError: () => undefined, ...(limits && { limits }) })
  pools.push(pool)
  return pool
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('the server ends a statement that takes too long, and the connection stays', async () => {
  const pool = open(SHORT)
  const failure = await failureOf(inTransaction(createDatabase(pool), (tx) => tx.execute(sql`select pg_sleep(5)`)))
  expect([sqlState(failure), isUnavailable(failure), isSilence(failure)]).toEqual(['57014', true, false])
  expect(pool.totalCount).toBe(1)
})

test('the server gives up waiting for a lock that somebody holds', async () => {
  const pool = open(SHORT)
  const holder = new Client({ connectionString: server.url })
  await holder.connect()
  await holder.query('begin; select from things where id = 1 for update')
  const failure = await failureOf(createDatabase(pool).execute(sql`update things set count = 1 where id = 1`))
  expect([sqlState(failure), isLockTimeout(failure), isUnavailable(failure)]).toEqual(['55P03', true, true])
  await holder.end()
})

test('a transaction whose process says nothing more is ended, and what it had locked is free', async () => {
  const forgetful = await open(SHORT).connect()
  await forgetful.query('begin')
  await forgetful.query('select from things where id = 2 for update')
  const pool = open()
  await pool.query('update things set count = count + 1 where id = 2')
  expect((await pool.query('select count from things where id = 2')).rows).toEqual([{ count: 1 }])
  forgetful.release(true)
})

test('without an answer the connection is ended, those behind it hear of it, and the next one is another', async () => {
  const pool = open({ ...SHORT, answerMs: 300, statementMs: 20_000 })
  const pids = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const first = await pids()
  const together = inTransaction(createDatabase(pool), (tx) =>
    Promise.all([tx.execute(sql`select pg_sleep(20)`), tx.execute(sql`select 1`)]),
  )
  const failure = await failureOf(together)
  expect([isSilence(failure), isUnavailable(failure)]).toEqual([true, true])
  await until('the connection is gone', () => pool.totalCount === 0)
  expect(await pids()).not.toBe(first)
})

test('what may take long is not taken for silence while the server answers others', async () => {
  const slow = open(LONG_LIMITS).query(`select pg_sleep(${REQUEST_LIMITS.answerMs / 1_000 + 0.5})`)
  expect((await slow).rowCount).toBe(1)
})

test('whoever may not do more than connect is told the limits of requests all the same', async () => {
  const admin = open()
  const role = `plain_${process.pid}`
  await admin.query(`create role ${role} login password 'plain'`)
  const url = new URL(server.url)
  Object.assign(url, { username: role, password: 'plain' })
  const plain = createPool({ url: url.href, max: 1, onError: () => undefined })
  const { rows } = await plain.query(`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`)
  expect(rows.map(({ setting }) => Number(setting))).toEqual([10_000, 700, 3_500])
  expect((await plain.query(`select pg_logical_emit_message(true, 'payment-platform', 'x')`)).rowCount).toBe(1)
  await plain.end()
  await admin.query(`drop role ${role}`)
})
