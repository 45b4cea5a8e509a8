import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let seller: Seller
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellerWith(app, 1_000_000)
  ids = []
  for (const overrides of [
    { description: 'Aluguel de novembro' },
    { pixKey: 'socio_50%@padaria.com.br' },
    { pixKeyType: 'cpf', pixKey: '529.982.247-25' },
  ]) {
    ids.unshift((await requested(app, seller, overrides)).id)
  }
  await app.api.post(`withdrawals/${ids[2]}/cancel`, { token: seller.token })
  await requested(app, await sellerWith(app, 10_000))
})
afterAll(() => app.close())

const list = (query = '') => app.api.get(`withdrawals${query}`, { token: seller.token })
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

test('200: only the own withdrawals, newest first, in the envelope and nothing else', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toStrictEqual(['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage'])
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(idsOf(answer)).toStrictEqual(ids)
  expect(answer.body.data[0]).not.toHaveProperty('sellerName')
})

test('200: by status, one or several', async () => {
  expect(idsOf(await list('?status=canceled'))).toStrictEqual([ids[2]])
  expect(idsOf(await list('?status=canceled&status=pending_approval'))).toStrictEqual(ids)
  expect(idsOf(await list('?status=completed'))).toStrictEqual([])
})

test('200: by a part of the key or description, taken literally, and by a whole id', async () => {
  expect(idsOf(await list('?search=ALUGUEL'))).toStrictEqual([ids[2]])
  expect(idsOf(await list(`?search=${encodeURIComponent('_50%')}`))).toStrictEqual([ids[1]])
  expect(idsOf(await list(`?search=${encodeURIComponent('%')}`))).toStrictEqual([ids[1]])
  expect(idsOf(await list(`?search=${ids[0]}`))).toStrictEqual([ids[0]])
})

test('200: by the period in which they were requested', async () => {
  const first = await app.api.get(`withdrawals/${ids[2]}`, { token: seller.token })
  const second = await app.api.get(`withdrawals/${ids[1]}`, { token: seller.token })
  const period = `?from=${first.body.createdAt}&to=${second.body.createdAt}`
  expect(idsOf(await list(period))).toStrictEqual([ids[2]])
})

test('200: the links lead through all pages by cursor and back', async () => {
  const linkOf = (answer: Answer, relation: string): string =>
    new RegExp(`<([^>]+)>; rel="${relation}"`).exec(answer.headers.get('link') ?? '')?.[1] ?? ''
  const first = await list('?perPage=2&search=padaria')
  expect(idsOf(first)).toStrictEqual([ids[1], ids[2]])
  const pages = [await list('?perPage=2')]
  expect(linkOf(pages[0] as Answer, 'next')).toContain('cursor=')
  pages.push(await app.api.get(linkOf(pages[0] as Answer, 'next'), { token: seller.token }))
  expect(pages.flatMap(idsOf)).toStrictEqual(ids)
  const back = await app.api.get(linkOf(pages[1] as Answer, 'prev'), { token: seller.token })
  expect(idsOf(back)).toStrictEqual(ids.slice(0, 2))
})

test.each(['status=paid', 'from=yesterday', 'perPage=0', 'cursor=x', 'sellerId=1', 'search='])(
  '400: the query %s',
  async (query) => {
    expect((await list(`?${query}`)).status).toBe(400)
  },
)

test('401: without a token', async () => {
  expect((await app.api.get('withdrawals')).status).toBe(401)
})

test('403: an administrator has no withdrawals', async () => {
  expect((await app.api.get('withdrawals', { token: await adminToken(app) })).status).toBe(403)
})
