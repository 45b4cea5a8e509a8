import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/db/client.ts'
import { readClockSkewMs } from '../../src/db/readiness.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createEmptyDatabase()
  pool = createPool({ url: database.url, max: 1, onError: () => undefined })
})

afterAll(async () => {
  await pool.end()
  await database.drop()
})

test.each([0, 10, -10])('a clock that is %s minutes off is so by the clock of the database', async (minutes) => {
  const skewMs = minutes * 60_000
  const measuredMs = await readClockSkewMs(pool, () => new Date(Date.now() + skewMs))
  expect(Math.abs(measuredMs - skewMs)).toBeLessThan(5_000)
})
