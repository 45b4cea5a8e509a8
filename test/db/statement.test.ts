import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bigints, booleans, texts, uuids, words } from '../../src/db/arrays.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { instantOf, send, statement } from '../../src/db/statement.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

let server: TestDatabase
let pool: Pool

beforeAll(async () => {
  server = await createEmptyDatabase()
  pool = createPool({ url: server.url, max: 1, onError: () => undefined })
})
afterAll(async () => {
  await pool.end()
  await server.drop()
})

test('what stands in a statement is a value, whatever it says', async () => {
  const hostile = `'; drop table x; -- $1 "`
  const { rows } = await send<{ said: string }>(createDatabase(pool), statement`select ${hostile}::text as said`)
  expect(rows).toStrictEqual([{ said: hostile }])
})

test('the text of a statement is the same object for all of its uses', () => {
  const make = (name: string) => statement`select ${name} where ${texts([name])} is not null`
  expect(make('a')).toStrictEqual({ text: 'select $1 where $2::text[] is not null', values: ['a', ['a']] })
  expect(make('b').text).toBe(make('c').text)
})

test('typed values arrive as what they are, in a statement and in a query of Drizzle', async () => {
  const id = '0193a000-0000-7000-8000-000000000001'
  const at = new Date('2026-11-01T12:00:00.123Z')
  const given = [
    uuids([id, null]),
    bigints([9_007_199_254_740_991]),
    booleans([true, false]),
    words(['paid']),
    texts(['a "b",\\c']),
  ] as const
  const expected = {
    ids: [id, null],
    numbers: ['9007199254740991'],
    flags: [true, false],
    words: ['paid'],
    texts: ['a "b",\\c'],
  }
  const db = createDatabase(pool)
  const [ids, numbers, flags, kinds, free] = given
  const sent = await send(
    db,
    statement`select ${ids} as ids, ${numbers} as numbers, ${flags} as flags, ${kinds} as words, ${free} as texts, ${instantOf(at)} as at`,
  )
  expect(sent.rows).toStrictEqual([{ ...expected, at }])
  const executed = await db.execute(
    sql`select ${ids} as ids, ${numbers} as numbers, ${flags} as flags, ${kinds} as words, ${free} as texts`,
  )
  expect(executed.rows).toStrictEqual([expected])
})
