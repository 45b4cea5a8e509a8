import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, createPool, type Writer } from '../../../src/db/client.ts'
import { planNameOf } from '../../../src/db/engine/plan-names.ts'
import { sqlState } from '../../../src/db/errors.ts'
import { inOneMoment, inTransaction } from '../../../src/db/transaction.ts'
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts'

let server: TestDatabase
let pool: Pool

beforeAll(async () => {
  server = await createEmptyDatabase()
})
afterAll(() => server.drop())

// One connection, so that it is known which one keeps what.
beforeEach(async () => {
  pool = createPool({ url: server.url, max: 1, onError: () => undefined })
  await pool.query('drop table if exists marks')
  await pool.query('create table marks (mark text primary key, count int not null default 0)')
  return () => pool.end()
})

const run = <Result>(work: (tx: Writer) => Promise<Result>) => inTransaction(createDatabase(pool), work)
const find = (tx: Writer, text: string) => tx.execute(sql`select mark, count from marks where mark = ${text}`)
const insert = (tx: Writer, text: string) => tx.execute(sql`insert into marks (mark) values (${text})`)
const kept = async (): Promise<{ name: string; statement: string }[]> =>
  (await pool.query('select name, statement from pg_prepared_statements order by prepare_time')).rows
const keptFinds = async () => (await kept()).filter(({ statement }) => statement.startsWith('select mark'))

const often = async (work: () => Promise<unknown>, times = 40) => {
  for (let time = 0; time < times; time += 1) await work()
}

test('a text gets a name when it has come sixteen times, and another one whenever that has doubled', () => {
  const names = Array.from({ length: 64 }, () => planNameOf('select of this test'))
  expect(names.slice(0, 15).every((name) => name === undefined)).toBe(true)
  const [first, second, third] = [names[15], names[31], names[63]]
  expect(new Set([first, second, third]).size).toBe(3)
  expect(names.slice(15, 31).every((name) => name === first)).toBe(true)
  expect(names.slice(31, 63).every((name) => name === second)).toBe(true)
  for (let time = 0; time < 15; time += 1) planNameOf('another of this test')
  expect([first, second, third]).not.toContain(planNameOf('another of this test'))
})

test('what a transaction sends again and again is kept by its connection', async () => {
  await run((tx) => insert(tx, 'a'))
  expect(await keptFinds()).toStrictEqual([])
  await often(() => run((tx) => find(tx, 'a')))
  expect(await keptFinds()).not.toStrictEqual([])
  expect((await run((tx) => find(tx, 'a'))).rows).toStrictEqual([{ mark: 'a', count: 0 }])
})

test('reads outside of transactions, and reports, are planned each time', async () => {
  const before = await kept()
  await often(() => createDatabase(pool).execute(sql`select 1 as outside`))
  await often(() => inOneMoment(createDatabase(pool), (tx) => tx.execute(sql`select 1 as report`)))
  expect(await kept()).toStrictEqual(before)
})

test('a plan that was made for an empty table does not outlive it', async () => {
  await pool.query('vacuum analyze marks')
  const count = (tx: Writer) => tx.execute(sql`select count from marks where mark = ${'m1'}`)
  await often(() => run(count), 30)
  await pool.query("insert into marks select 'm' || n from generate_series(1, 20000) as n")
  const planOf = async () => {
    const statements = (await kept()).filter(({ statement }) => statement.startsWith('select count'))
    const { rows } = await pool.query(`explain execute ${statements.at(-1)?.name}('m1')`)
    return JSON.stringify(rows)
  }
  expect(await planOf()).toContain('Seq Scan')
  await often(() => run(count), 70)
  expect(await planOf()).toContain('Index')
})

test('the same statement may be sent twice at once before the connection has it', async () => {
  await run((tx) => insert(tx, 'twice'))
  await often(async () => {
    const results = await run((tx) => Promise.all([find(tx, 'twice'), find(tx, 'twice'), find(tx, 'twice')]))
    expect(results.map(({ rows }) => rows.length)).toStrictEqual([1, 1, 1])
  })
})

test('behind a statement that failed, one that could not be kept does not hide why', async () => {
  await run((tx) => insert(tx, 'taken'))
  const states: unknown[] = []
  const behind = (tx: Writer) => tx.execute(sql`select ${'behind'} as x`)
  await often(async () => {
    // Whoever sent the last one hears first.
    const slowly = async <Result>(work: Promise<Result>): Promise<Result> => work.then(async (result) => result)
    const failed = run((tx) => Promise.all([slowly(insert(tx, 'taken')), slowly(behind(tx)), behind(tx)]))
    states.push(await failed.then(() => 'none', sqlState))
  })
  expect(new Set(states)).toStrictEqual(new Set(['23505']))
  await run(behind)
})

test('a statement whose table has changed fails once, and then again works', async () => {
  const found = () => run((tx) => tx.execute(sql`select count from marks where mark = ${'a'} and count >= 0`))
  await often(found)
  await pool.query('alter table marks alter count type text')
  await pool.query('alter table marks alter count type bigint using count::bigint')
  expect(await found().then(() => 'none', sqlState)).toBe('0A000')
  await found()
})
