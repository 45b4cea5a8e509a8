import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { type BulkOwners, fillInBulk } from '../support/bulk.ts'
import { registerSeller } from '../support/factories.ts'
import {
  addressOf,
  type List,
  type ListCaller,
  linksOf,
  listCaller,
  listsOf,
  type Prepared,
  prepareOwners,
} from '../support/lists.ts'
import { newWebhook } from '../support/webhooks.ts'

const ROWS = 40

let app: TestApp
let lists: List[]
let owners: BulkOwners
let tokens: Prepared['tokens']
let get: ListCaller
let tokenFor: (list: List) => string

beforeAll(async () => {
  app = await startTestApp()
  lists = listsOf((await app.api.get('/openapi.json')).body)
  const main = await registerSeller(app)
  for (let index = 0; index < 4; index += 1) await newWebhook(app, main, `https://example.com/${index}`)
  const prepared = await prepareOwners(app, main)
  owners = prepared.owners
  tokens = prepared.tokens
  get = listCaller(app, prepared)
  tokenFor = ({ isForAdmins }) => (isForAdmins ? prepared.tokens.admin : prepared.tokens.main)
  await fillInBulk(app.sql, owners, { from: 0, rows: ROWS })
})

afterAll(async () => {
  // Rows to be listed, not what the platform would send: their bodies would not pass.
  await app.sql.query('truncate events')
  await app.close()
})

const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

type Step = 'next' | 'prev'

/** Follows one kind of link to the end; `between` happens before each step. */
const follow = async (list: List, start: string, step: Step, between = async () => {}): Promise<Answer[]> => {
  const answers = [await get(list, start)]
  for (let link = linksOf(answers[0])[step]; link !== undefined; link = linksOf(answers.at(-1))[step]) {
    await between()
    answers.push(await get(list, link))
  }
  return answers
}

const urlOf = (list: List, query: Record<string, string>): string => addressOf(list, owners, query)

test('every list is found in the OpenAPI document', () => {
  expect(lists.length).toBeGreaterThanOrEqual(20)
})

test('200: following next visits every row of every list once, and prev leads the same way back', async () => {
  for (const list of lists) {
    const whole = await get(list, urlOf(list, { perPage: '100' }))
    const rows = idsOf(whole)
    expect([list.name, whole.body.totalPages]).toEqual([list.name, Math.ceil(rows.length / 100)])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: 30 }), async (perPage) => {
        const forth = await follow(list, urlOf(list, { perPage: String(perPage) }), 'next')
        expect([list.name, forth.flatMap(idsOf)]).toEqual([list.name, rows])
        const end = urlOf(list, { perPage: String(perPage), page: String(forth.length) })
        const back = await follow(list, end, 'prev')
        expect([list.name, back.map(idsOf).reverse()]).toEqual([list.name, forth.map(idsOf)])
      }),
      { numRuns: 2 },
    )
  }
}, 60_000)

const expectLinks = (list: List, asked: Record<string, string>, answers: Answer[]): void => {
  const pages = answers.length
  for (const [index, answer] of answers.entries()) {
    const { first, prev, next, last, ...others } = linksOf(answer)
    const place = [list.name, index + 1]
    expect([...place, others, prev === undefined, next === undefined]).toEqual([
      ...place,
      {},
      index === 0,
      index === pages - 1,
    ])
    expect([...place, first]).toEqual([...place, urlOf(list, { ...asked, perPage: '3', page: '1' })])
    expect([...place, last]).toEqual([...place, urlOf(list, { ...asked, perPage: '3', page: String(pages) })])
    expect([list.name, answer.body.currentPage]).toEqual(place)
    for (const link of [prev, next]) {
      if (link !== undefined) expect(link).toContain(urlOf(list, { ...asked, perPage: '3' }))
    }
  }
}

test('200: Link names the first, previous, next and last page of every list, and keeps what was asked', async () => {
  for (const list of lists) {
    const asked: Record<string, string> = list.filters.includes('from') ? { from: '2026-01-01' } : {}
    expectLinks(list, asked, await follow(list, urlOf(list, { ...asked, perPage: '3' }), 'next'))
  }
})

test('200: a page behind the last one is empty and says where the last one is', async () => {
  for (const list of lists) {
    const answer = await get(list, urlOf(list, { page: '900', perPage: '3' }))
    expect([list.name, idsOf(answer)]).toEqual([list.name, []])
    expect(linksOf(answer).next).toBeUndefined()
  }
})

type Row = { id: string; [field: string]: unknown }

// Ids are in the order of creation, so that `createdAt` is an order of ids alone.
const sortValue = (row: Row, field: string): number | string => {
  const value = field === 'createdAt' ? '' : row[field]
  return typeof value === 'number' ? value : String(value)
}

const ascendingBy =
  (field: string) =>
  (first: Row, second: Row): number => {
    const [one, other] = [sortValue(first, field), sortValue(second, field)]
    if (one === other) return first.id < second.id ? -1 : 1
    return one < other ? -1 : 1
  }

const sortedIds = (rows: readonly Row[], sort: string): string[] => {
  const ascending = rows.toSorted(ascendingBy(sort.replace('-', ''))).map(({ id }) => id)
  return sort.startsWith('-') ? ascending.reverse() : ascending
}

const expectOrders = async (list: List): Promise<void> => {
  const { body } = await get(list, urlOf(list, { perPage: '100' }))
  for (const sort of list.sorts) {
    const place = [list.name, sort]
    const expected = sortedIds(body.data, sort)
    const forth = await follow(list, urlOf(list, { perPage: '7', sort }), 'next')
    expect([...place, forth.flatMap(idsOf)]).toEqual([...place, expected])
    const back = await follow(list, urlOf(list, { perPage: '7', sort, page: String(forth.length) }), 'prev')
    expect([...place, back.map(idsOf).reverse()]).toEqual([...place, forth.map(idsOf)])
    const numbered = await get(list, urlOf(list, { perPage: '7', sort, page: '2' }))
    expect([...place, idsOf(numbered)]).toEqual([...place, expected.slice(7, 14)])
  }
}

test('200: every list comes in each order that it names, by cursor and by page number', async () => {
  for (const list of lists) await expectOrders(list)
}, 60_000)

const EQUAL_AMOUNTS = 'update payments set amount = 1 + amount % 3, paid_amount = 0, refunded_amount = 0'

test('200: cursors neither repeat nor skip one of those that are equal in what a list is sorted by', async () => {
  const list = lists.find(({ name }) => name === 'listPayments')
  if (list === undefined) throw new Error('there is no list of payments')
  await app.sql.query(EQUAL_AMOUNTS)
  await expectOrders(list)
})

test('400: a cursor of another order is refused', async () => {
  for (const list of lists.filter(({ hasCursors }) => hasCursors)) {
    const cursor = Buffer.from('a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.createdAt').toString('base64url')
    await get(list, urlOf(list, { sort: 'createdAt', cursor }))
    const answer = await app.api.get(urlOf(list, { cursor }), { token: tokenFor(list) })
    expect([list.name, answer.status, answer.body.errors]).toEqual([
      list.name,
      400,
      [{ in: 'query', path: 'cursor', code: 'invalid_cursor', message: 'Take the cursor from a Link header.' }],
    ])
  }
})

test.each([
  ['amount', 'a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.amount'],
  ['amount', "a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.amount.1' or true"],
  ['amount', 'a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.amount.99999999999999999999'],
  ['-amount', 'a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.amount.1'],
  ['-createdAt', 'a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.-createdAt'],
  ['createdAt', 'a.2.01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00.createdAt.1'],
])('400: of a list by %s, %s is no cursor', async (sort, text) => {
  const cursor = Buffer.from(text).toString('base64url')
  const list = lists.find(({ name }) => name === 'listPayments')
  if (list === undefined) throw new Error('there is no list of payments')
  const answer = await app.api.get(urlOf(list, { sort, cursor }), { token: tokenFor(list) })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor', code: 'invalid_cursor' }] } })
})

const withPeriod = () => lists.filter(({ filters }) => filters.includes('from'))

test('400: a period that ends before it begins is refused by every list', async () => {
  for (const list of withPeriod()) {
    const answer = await app.api.get(urlOf(list, { from: '2026-01-02', to: '2026-01-01' }), { token: tokenFor(list) })
    expect([list.name, answer.status, answer.body.errors]).toEqual([
      list.name,
      400,
      [{ in: 'query', path: 'from', code: 'invalid_period', message: 'must not be after `to`' }],
    ])
  }
})

test('200: a period that ends where it begins selects nothing, in every list', async () => {
  for (const list of withPeriod()) {
    const { body } = await get(list, urlOf(list, { from: '2026-01-06', to: '2026-01-06' }))
    expect([list.name, body.data, body.totalRecords]).toEqual([list.name, [], 0])
  }
})

test('400: a least amount above the largest is refused by every list that has both; equal ones are not', async () => {
  const withAmounts = lists.filter(({ filters }) => filters.includes('minAmount'))
  expect(withAmounts.map(({ name }) => name)).toEqual(['listPayments', 'listAllPayments'])
  for (const list of withAmounts) {
    const answer = await app.api.get(urlOf(list, { minAmount: '2', maxAmount: '1' }), { token: tokenFor(list) })
    expect([list.name, answer.status, answer.body.errors]).toEqual([
      list.name,
      400,
      [{ in: 'query', path: 'minAmount', code: 'invalid_range', message: 'must not be above `maxAmount`' }],
    ])
    expect((await get(list, urlOf(list, { minAmount: '1', maxAmount: '1' }))).status).toBe(200)
  }
})

test('400: a list takes no other order than those that it names', async () => {
  for (const list of lists) {
    const answer = await app.api.get(urlOf(list, { sort: 'password' }), { token: tokenFor(list) })
    expect([list.name, answer.status, answer.body.errors?.[0]?.path]).toEqual([list.name, 400, 'sort'])
  }
})

test('200: rows that arrive meanwhile make cursors neither repeat nor skip one', async () => {
  let from = 10_000
  for (const list of lists.filter(({ hasCursors }) => hasCursors)) {
    const before = (await follow(list, urlOf(list, { perPage: '100' }), 'next')).flatMap(idsOf)
    let arrivals = 0
    const arrive = async () => {
      arrivals += 1
      if (arrivals > 1) return
      await fillInBulk(app.sql, owners, { from, rows: 10 })
      from += 10
    }
    const visited = (await follow(list, urlOf(list, { perPage: '17' }), 'next', arrive)).flatMap(idsOf)
    expect([list.name, visited]).toEqual([list.name, before.slice(0, visited.length)])
    expect([list.name, visited.length]).toEqual([list.name, before.length])
  }
}, 60_000)

test('304: a page of any list is not sent again to who names it by its ETag', async () => {
  for (const list of lists) {
    const url = urlOf(list, { perPage: '3' })
    const { headers } = await get(list, url)
    const token = list.isForAdmins ? tokens.admin : tokens.main
    const again = await app.api.get(url, { token, headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([list.name, again.status, again.text]).toEqual([list.name, 304, ''])
  }
})
