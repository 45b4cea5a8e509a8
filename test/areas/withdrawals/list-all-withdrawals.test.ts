import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let token: string
let sellers: Seller[]
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  sellers = [await sellerWith(app, 100_000), await sellerWith(app, 100_000)]
  ids = []
  for (const seller of [...sellers, ...sellers]) ids.unshift((await requested(app, seller)).id)
  await app.api.post(`admin/withdrawals/${ids[0]}/reject`, { token, body: { reason: 'No.' } })
})
afterAll(() => app.close())

const list = (query = '') => app.api.get(`admin/withdrawals${query}`, { token })
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

test('200: the withdrawals of all sellers, newest first, each with its seller', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ totalRecords: 4, totalPages: 1 })
  expect(idsOf(answer)).toStrictEqual(ids)
  expect(answer.body.data[0]).toMatchObject({ sellerName: 'Maria da Silva', sellerEmail: sellers[1]?.email })
  expect(answer.body.data[3]).toMatchObject({ sellerId: sellers[0]?.id, sellerEmail: sellers[0]?.email })
})

test('200: by status and by seller', async () => {
  expect(idsOf(await list('?status=pending_approval'))).toStrictEqual(ids.slice(1))
  expect(idsOf(await list(`?sellerId=${sellers[1]?.id}`))).toStrictEqual([ids[0], ids[2]])
  expect(idsOf(await list(`?sellerId=${sellers[1]?.id}&status=rejected`))).toStrictEqual([ids[0]])
})

test('200: pages by cursor', async () => {
  const first = await list('?perPage=3')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect(next).toContain('cursor=')
  expect(idsOf(await app.api.get(next, { token }))).toStrictEqual(ids.slice(3))
})

test.each(['status=paid', 'sellerId=1', 'page=0'])('400: the query %s', async (query) => {
  expect((await list(`?${query}`)).status).toBe(400)
})

test('401: without a token', async () => {
  expect((await app.api.get('admin/withdrawals')).status).toBe(401)
})

test('403: a seller', async () => {
  expect((await app.api.get('admin/withdrawals', { token: sellers[0]?.token })).status).toBe(403)
})
