import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COUNTED_TABLES } from '../../src/daily-totals/daily-totals.repository.ts'

// What these change in a counted row is not counted: who pays, and how far a delivery is.
const WRITES_NOTHING_COUNTED: ReadonlySet<string> = new Set([
  'src/areas/payments/payer-snapshots.repository.ts',
  'src/webhooks/engine/webhook-queues.repository.ts',
])

const ROOT = join(import.meta.dirname, '..', '..')

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

// As a statement of SQL, as a call of drizzle's, and as one of ours.
const writesTo = (table: string): RegExp => {
  const name = camelCase(table)
  return new RegExp(
    `insert into ${table}\\b|update ${table}\\b|delete from ${table}\\b` +
      `|\\.(insert|update|delete)\\(${name}\\)|(insertMany|insertNew|updateMany|moveMany|moveWhere|writeMany)\\([^,]+, ${name}\\b`,
  )
}

const sources = async (): Promise<{ path: string; text: string }[]> => {
  const found: { path: string; text: string }[] = []
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
    found.push({ path, text: readFileSync(join(ROOT, path), 'utf8') })
  }
  return found
}

test.each(COUNTED_TABLES)('whatever writes %s says what it adds to the totals', async (table) => {
  const writes = writesTo(table)
  const writers = (await sources()).filter(({ path, text }) => writes.test(text) && !WRITES_NOTHING_COUNTED.has(path))
  const silent = writers.filter(({ text }) => !/\bdailyTotals\b/.test(text)).map(({ path }) => path)
  expect(writers).not.toEqual([])
  expect(silent).toEqual([])
})
