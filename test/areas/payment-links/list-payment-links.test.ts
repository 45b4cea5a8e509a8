import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { createLink, putLink, sellerWithLink } from '../../support/payment-links.ts'
import { sellingSeller } from '../../support/payments.ts'

const HOUR_MS = 3_600_000

let app: TestApp
let seller: Seller
let ids: Record<string, string>

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  const soon = new Date(app.clock.now().getTime() + HOUR_MS).toISOString()
  const later = new Date(app.clock.now().getTime() + 3 * HOUR_MS).toISOString()
  const active = await createLink(app, seller, { title: 'Camiseta azul', expiresAt: later })
  const off = await createLink(app, seller, { title: 'Caneca 100%', externalReference: 'order-9' })
  const expired = await createLink(app, seller, { title: 'Ingresso', description: 'Show azul', expiresAt: soon })
  const gone = await createLink(app, seller, { title: 'Azulejo' })
  await putLink(app, seller, off, { externalReference: 'order-9', status: 'inactive' })
  await app.api.delete(`payment-links/${gone.id}`, { token: seller.token })
  // Nobody has written down yet that its time is up.
  app.clock.setOffsetMs(2 * HOUR_MS)
  ids = { active: active.id, inactive: off.id, expired: expired.id, deleted: gone.id }
  await sellerWithLink(app, { title: 'Camiseta azul de outra loja' })
})
afterAll(() => app.close())

const list = (query = '') => app.api.get(`payment-links${query}`, { token: seller.token })
const namesOf = ({ body }: Answer): (string | undefined)[] =>
  body.data.map(({ id }: { id: string }) => Object.keys(ids).find((name) => ids[name] === id))

test('200: the own links, newest first, without deleted ones', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(namesOf(answer)).toEqual(['expired', 'inactive', 'active'])
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
})

test.each(['active', 'inactive', 'expired', 'deleted', 'completed'])(
  '200: by status %s, which is the one that the link is shown with',
  async (status) => {
    const answer = await list(`?status=${status}`)
    expect(namesOf(answer)).toEqual(status === 'completed' ? [] : [status])
    expect(answer.body.data.map((link: { status: string }) => link.status)).toEqual(namesOf(answer))
  },
)

test('200: by several states at once', async () => {
  expect(namesOf(await list('?status=active&status=expired'))).toEqual(['expired', 'active'])
})

test.each([
  ['azul', ['expired', 'active']],
  ['CANECA 100%', ['inactive']],
  ['order-9', ['inactive']],
  ['loja', []],
  ['%', ['inactive']],
])('200: a search for %s looks into title, description and reference', async (search, names) => {
  expect(namesOf(await list(`?search=${encodeURIComponent(search)}`))).toEqual(names)
})

test('200: pages, with the links that lead through them', async () => {
  const answer = await list('?perPage=2&page=2')
  expect(namesOf(answer)).toEqual(['active'])
  expect(answer.headers.get('link')).toContain('rel="prev"')
})

test('200: a period is half open', async () => {
  const at = (await list()).body.data[2].createdAt
  expect(namesOf(await list(`?from=${at}`))).toContain('active')
  expect(namesOf(await list(`?to=${at}`))).toEqual([])
})

test.each(['status=gone', 'perPage=0', 'from=yesterday', 'search=', 'sellerId=x'])(
  '400: %s is refused',
  async (query) => {
    expect((await list(`?${query}`)).body.code).toBe('validation.failed')
  },
)

test('401: nobody lists without a token', async () => {
  expect((await app.api.get('payment-links')).status).toBe(401)
})
