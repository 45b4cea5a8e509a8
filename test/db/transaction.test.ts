import { sql } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, createPool, type Writer } from '../../src/db/client.ts'
import { isUnavailable, sqlState } from '../../src/db/errors.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

let server: TestDatabase
let pool: Pool

beforeAll(async () => {
  server = await createEmptyDatabase()
  pool = createPool({ url: server.url, max: 1, onError: () => undefined })
  await pool.query('create table marks (mark text primary key)')
})
afterAll(async () => {
  await pool.end()
  await server.drop()
})

const run = <Result>(work: (tx: Writer) => Promise<Result>) => inTransaction(createDatabase(pool), work)
const mark = (tx: Writer, text: string) => tx.execute(sql`insert into marks values (${text})`)
const marks = async () => (await pool.query('select mark from marks order by mark')).rows.map(({ mark: text }) => text)

// The pool has one connection: whoever does not give it back lets the next one wait for ever.
const cut = async (tx: Writer) => {
  await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
}

test('a return commits, a throw rolls back and is thrown on', async () => {
  await run((tx) => mark(tx, 'kept'))
  await expect(
    run(async (tx) => {
      await mark(tx, 'lost')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await marks()).toStrictEqual(['kept'])
})

test('a connection that is gone before the transaction begins is replaced', async () => {
  // The server ends the connection after the pool gave it away, and before `begin` arrives.
  const cutFirst = (client: PoolClient) => {
    const query: (text: string) => Promise<unknown> = client.query.bind(client)
    const cutAndQuery = async (text: string) => {
      await query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
      return query(text)
    }
    Object.assign(client, { query: cutAndQuery })
  }
  pool.once('acquire', cutFirst)
  await expect(run((tx) => mark(tx, 'never'))).rejects.toSatisfy(isUnavailable)
  await run((tx) => mark(tx, 'after'))
  expect(await marks()).toStrictEqual(['after', 'kept'])
})

test('a connection that breaks within a transaction is replaced, and its own failure is what is heard', async () => {
  const failed = run(async (tx) => {
    await mark(tx, 'cut')
    await cut(tx)
  })
  await expect(failed).rejects.toMatchObject({ cause: { code: '57P01' } })
  expect(await marks()).not.toContain('cut')
})

test('what work leaves behind unawaited reaches nobody’s connection', async () => {
  const isOver = Promise.withResolvers<void>()
  let stray: Promise<unknown> | undefined
  const failed = run(async (tx) => {
    stray = tx.execute(sql`select 1`).then(async () => {
      await isOver.promise
      await mark(tx, 'stray')
    })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  isOver.resolve()
  await expect(stray).rejects.toThrow()
  expect(await marks()).not.toContain('stray')
})

test('of statements that are sent together, the one that failed says why', async () => {
  const failing = run(async (tx) => {
    // The second one is refused because the first one failed, and whoever made it hears of it first.
    const first = mark(tx, 'twice').then(() => mark(tx, 'twice'))
    await first.catch(() => undefined)
    await mark(tx, 'refused')
  })
  const together = run((tx) =>
    Promise.all([
      tx.execute(sql`select 1 / 0`).then(async (result) => await Promise.resolve(result)),
      tx.execute(sql`select 1`),
    ]),
  )
  const states = await Promise.all([failing, together].map((run) => run.then(() => 'none', sqlState)))
  expect(states).toStrictEqual(['23505', '22012'])
})

test('work that passes over the failure of its own statement does not pass for committed', async () => {
  const failed = run(async (tx) => {
    await mark(tx, 'half')
    await tx.execute(sql`select 1 / 0`).catch(() => undefined)
  })
  await expect(failed).rejects.toThrow('had failed before')
  expect(await marks()).not.toContain('half')
})
