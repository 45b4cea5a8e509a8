import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { type BulkOwners, fillInBulk } from '../support/bulk.ts'
import { registerSeller } from '../support/factories.ts'
import { addressOf, type List, type ListCaller, linksOf, listCaller, listsOf, prepareOwners } from '../support/lists.ts'
import { newWebhook } from '../support/webhooks.ts'

const ROWS = 40

let app: TestApp
let lists: List[]
let owners: BulkOwners
let get: ListCaller

beforeAll(async () => {
  app = await startTestApp()
  lists = listsOf((await app.api.get('/openapi.json')).body)
  const main = await registerSeller(app)
  for (let index = 0; index < 4; index += 1) await newWebhook(app, main, `https://example.com/${index}`)
  const prepared = await prepareOwners(app, main)
  owners = prepared.owners
  get = listCaller(app, prepared)
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
