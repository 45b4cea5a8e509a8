import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPaymentsRepository } from '../../src/areas/payments/payments.repository.ts'
import { payments } from '../../src/areas/payments/payments.tables.ts'
import { createDatabase, createPool, type Reader } from '../../src/db/client.ts'
import { moveMany, type moveWhere } from '../../src/db/move.ts'
import type { sendWrite } from '../../src/db/statement.ts'
import { insertMany, insertNew, updateMany, type writeFollowed, writeMany } from '../../src/db/write.ts'
import { paymentLifecycle } from '../../src/domain/payment.ts'
import { createReads } from '../../src/repositories.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** What a statement locks or writes with, in SQL and in Drizzle's words. */
const WRITES =
  /\b(insert|update|delete|truncate|merge into|lock table|create temporary|for (no key update|key share|share)|pg_(try_)?advisory\w*|sendWrite)\b|\.for\(/i

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

// A function, not the type of one that is handed in.
const TAKES_A_READER = /\(\w+: Reader\b(?!\) => Promise<)/

/** The declarations of a file that can hold SQL, by their names. */
const declarationsOf = (text: string): ReadonlyMap<string, string> => {
  const parts = withoutComments(text).split(/\n(?=(?:export )?(?:const|type|class) )/)
  return new Map(
    parts.flatMap((part) => [...(/^(?:export )?const (\w+)/.exec(part)?.slice(1) ?? [])].map((name) => [name, part])),
  )
}

/**
 * The text of a file that reads. A file that knows no Writer only reads; in one that does, it is what takes a Reader, and
 * what of the same file that uses.
 */
const readingText = (text: string): string => {
  if (!/\bWriter\b/.test(text)) return withoutComments(text)
  const declarations = declarationsOf(text)
  const reached = new Set([...declarations].flatMap(([name, part]) => (TAKES_A_READER.test(part) ? [name] : [])))
  for (const name of reached) {
    const words = new Set(declarations.get(name)?.match(/\w+/g))
    for (const other of declarations.keys()) if (words.has(other)) reached.add(other)
  }
  return [...reached].map((name) => declarations.get(name)).join('\n')
}

const writesIn = (text: string): string[] => readingText(text).match(new RegExp(WRITES, 'gi')) ?? []

const sources = async (): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) found.set(path, await readFile(join(ROOT, path), 'utf8'))
  return found
}

test('no reading half of a repository locks or writes', async () => {
  const reading = [...(await sources())].filter(
    ([path, text]) => TAKES_A_READER.test(text) || /\.(queries|filter)\.ts$/.test(path),
  )
  const found = reading.flatMap(([path, text]) => writesIn(text).map((write) => `${path}: ${write}`))
  expect(found).toEqual([])
  expect(reading.length).toBeGreaterThan(50)
})

const half = (body: string): string => `export const createXQueries = (db: Reader) => ({\n  find: () => ${body},\n})\n`
const WRITING_HALF = `export const createXRepository = (db: Writer) => ({\n  put: () => db.insert(x),\n})\n`

test.each([
  ['an insert', half('db.execute(sql`insert into x values (1)`)')],
  ['an update', half('db.execute(sql`with changed as (update x set y = 1 returning new) select 1`)')],
  ['a delete', half('send(db, statement`DELETE from x`)')],
  ['a locking read', half('db.execute(sql`select from x for no key update`)')],
  ['a shared lock', half('db.execute(sql`select from x for share`)')],
  ['a lock on a key', half('send(db, statement`select from x for key share`)')],
  ["a lock in Drizzle's words", half('db.select().from(x).for(strength)')],
  ['a lock by name', half('db.execute(sql`select pg_advisory_xact_lock(1)`)')],
  ['a write beside a writing half', `${half('db.execute(sql`delete from x`)')}${WRITING_HALF}`],
  [
    'a write that a reading half borrows',
    `const gone = sql\`delete from x\`\nconst of = () => gone\n${half('db.execute(of())')}${WRITING_HALF}`,
  ],
])('a planted write of a reading half is found: %s', (_, text) => {
  expect(writesIn(text)).not.toEqual([])
})

test.each([
  ['names of columns', half('db.select({ updatedAt, deletedAt }).from(x)')],
  ['a comment', `/** Once to update, insert or delete. */\n${half('db.select().from(x)')}`],
  ['a writing half', `${half('db.select().from(x)')}${WRITING_HALF}`],
])('what only looks like one is not: %s', (_, text) => {
  expect(writesIn(text)).toEqual([])
})

test('whoever writes was handed a transaction, but for what is one statement', async () => {
  const using = async (what: RegExp) =>
    [...(await sources())].flatMap(([path, text]) => (what.test(text) ? [path] : []))
  expect((await using(/\bdrizzle[<(]/)).sort()).toEqual(['src/db/client.ts', 'src/db/transaction.ts'])
  expect((await using(/\bautocommit\(/)).sort()).toEqual([
    'src/compose/foundation.ts',
    'src/compose/ledger.ts',
    'src/compose/operation.ts',
    'src/compose/webhooks.ts',
  ])
})

// Nothing connects: without rows there is no statement.
const pool = createPool({ url: 'postgres://localhost/none', max: 1, onError: () => undefined })
afterAll(() => pool.end())

test('a Reader is refused by type where something is locked or written', async () => {
  const reader: Reader = createDatabase(pool)
  const [keys, set] = [['sellerId', 'id'], ['amount']] as const
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await insertMany(reader, payments, [])).toBeUndefined()
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await insertNew(reader, payments, [], { returning: 'id' })).toEqual([])
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await updateMany(reader, payments, [], { keys, set })).toBe(0)
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await writeMany(reader, payments, [], { keys, set, follow: undefined })).toBe(0)
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await moveMany(reader, payments, paymentLifecycle, [], { keys, set })).toBeUndefined()
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(await createPaymentsRepository(reader).insertMany([])).toBeUndefined()
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(reader satisfies Parameters<typeof moveWhere>[0]).toBe(reader)
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(reader satisfies Parameters<typeof writeFollowed>[0]).toBe(reader)
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(reader satisfies Parameters<typeof sendWrite>[0]).toBe(reader)
})

test('outside a transaction there is nothing that locks or writes, whatever its name', () => {
  const read = createReads(createDatabase(pool))
  // @ts-expect-error: that is what is tested. Without the refusal the compiler fails here.
  expect(read.payments.lockMany).toBeUndefined()
  // @ts-expect-error: it reads payers, and locks them.
  expect(read.paymentTerms.findPayers).toBeUndefined()
  expect(read.paymentTerms.findSellers).toBeInstanceOf(Function)
})
