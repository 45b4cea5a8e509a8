import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { texts } from '../../src/db/arrays.ts'
import { createDatabase, createPool, type Executor } from '../../src/db/client.ts'
import { violates } from '../../src/db/errors.ts'
import { send, statement } from '../../src/db/statement.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

let server: TestDatabase
let pool: Pool

// Each statement that inserts leaves one row here, however many tables it inserts into.
const NOTE_STATEMENT = `
  create table authors (name text constraint authors_pk primary key);
  create table books (title text constraint books_pk primary key, author text constraint books_author_fk references authors);
  create table sent (statement text);
  create function note_statement() returns trigger language plpgsql as $$
  begin insert into sent values (current_query()); return null; end $$;
  create trigger note after insert on authors for each statement execute function note_statement();
  create trigger note after insert on books for each statement execute function note_statement();`

beforeAll(async () => {
  server = await createEmptyDatabase()
  pool = createPool({ url: server.url, max: 2, onError: () => undefined })
  await pool.query(NOTE_STATEMENT)
})
beforeEach(async () => {
  await pool.query('truncate authors, books, sent')
})
afterAll(async () => {
  await pool.end()
  await server.drop()
})

const run = <Result>(work: (tx: Executor) => Promise<Result>) => inTransaction(createDatabase(pool), work)

const addAuthors = (tx: Executor, names: readonly string[]) =>
  send(tx, { ...statement`insert into authors select * from unnest(${texts(names)})`, insertsInto: 'authors' })

const addBooks = (tx: Executor, titles: readonly string[], author: string) =>
  send(tx, {
    ...statement`insert into books select title, ${author} from unnest(${texts(titles)}) as title`,
    insertsInto: 'books',
  })

const countAuthors = (tx: Executor) =>
  send<{ count: number }>(tx, statement`select count(*)::int as count from authors`)

const statementsSent = async () => {
  const { rows } = await pool.query('select distinct statement from sent')
  return rows.length
}
const titles = async () => (await pool.query('select title from books order by title')).rows.map(({ title }) => title)

test('inserts of one turn are one statement, each with its own values, and may refer to each other', async () => {
  await run((tx) => Promise.all([addAuthors(tx, ['Machado', 'Clarice']), addBooks(tx, ['Dom Casmurro'], 'Machado')]))
  expect(await statementsSent()).toBe(1)
  const { rows } = await pool.query('select title, author from books')
  expect(rows).toStrictEqual([{ title: 'Dom Casmurro', author: 'Machado' }])
  expect((await pool.query('select from authors')).rowCount).toBe(2)
})

test('inserts of two turns are two statements', async () => {
  await run(async (tx) => {
    await addAuthors(tx, ['Machado'])
    await addBooks(tx, ['Helena'], 'Machado')
  })
  expect(await statementsSent()).toBe(2)
  expect(await titles()).toStrictEqual(['Helena'])
})

test('whatever else is sent in the same turn comes after the inserts before it, and before those behind it', async () => {
  const counted = await run(async (tx) => {
    const [, before, , after] = await Promise.all([
      addAuthors(tx, ['Machado']),
      countAuthors(tx),
      addAuthors(tx, ['Clarice']),
      countAuthors(tx),
    ])
    return [before.rows[0]?.count, after.rows[0]?.count]
  })
  expect(counted).toStrictEqual([1, 2])
})

test('a second insert into the same table waits for the first', async () => {
  const skipKnown = (tx: Executor, names: readonly string[]) =>
    send(tx, {
      ...statement`insert into authors select * from unnest(${texts(names)}) on conflict do nothing`,
      insertsInto: 'authors',
    })
  await run((tx) => Promise.all([addAuthors(tx, ['Machado']), skipKnown(tx, ['Machado', 'Clarice'])]))
  expect(await statementsSent()).toBe(2)
  expect((await pool.query('select from authors')).rowCount).toBe(2)
})

test('what fails one of them fails all, is thrown as it is, and leaves nothing behind', async () => {
  const outcomes: string[] = []
  const failed = run((tx) =>
    Promise.all(
      [addAuthors(tx, ['Machado']), addBooks(tx, ['Helena'], 'nobody')].map((sent) =>
        sent.catch((error: unknown) => {
          outcomes.push(violates(error, 'books_author_fk') ? 'no author' : 'other')
          throw error
        }),
      ),
    ),
  )
  await expect(failed).rejects.toSatisfy((error) => violates(error, 'books_author_fk'))
  expect(outcomes).toStrictEqual(['no author', 'no author'])
  expect((await pool.query('select from authors')).rowCount).toBe(0)
})

test('many values keep their places beside those of others', async () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']
  const [a, b, c, d, e, f, g, h, i, j, k] = many as [string, ...string[]] & string[]
  const eleven = (table: string) =>
    statement`select ${a}::text || ${b ?? ''} || ${c ?? ''} || ${d ?? ''} || ${e ?? ''} || ${f ?? ''} || ${g ?? ''} || ${h ?? ''} || ${i ?? ''} || ${j ?? ''} || ${k ?? ''} || ${table}`
  const into = (table: string) => ({
    ...eleven(table),
    text: `insert into ${table} ${eleven(table).text}`,
    insertsInto: table,
  })
  await run((tx) => Promise.all([send(tx, into('authors')), send(tx, into('books'))]))
  expect(await titles()).toStrictEqual([`${many.join('')}books`])
  expect((await pool.query('select name from authors')).rows).toStrictEqual([{ name: `${many.join('')}authors` }])
})

test('an insert that work leaves behind unawaited reaches no connection', async () => {
  let stray: Promise<unknown> | undefined
  await run(async (tx) => {
    stray = addAuthors(tx, ['stray'])
    stray.catch(() => undefined)
  })
  await expect(stray).rejects.toThrow('has ended')
  expect((await pool.query('select from authors')).rowCount).toBe(0)
})

test('outside of a transaction an insert is a statement of its own', async () => {
  const db = createDatabase(pool)
  await Promise.all([addAuthors(db, ['Machado']), addAuthors(db, ['Clarice'])])
  expect(await statementsSent()).toBe(1)
  expect((await pool.query('select from authors')).rowCount).toBe(2)
})
