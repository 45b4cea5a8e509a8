import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm } from '../../support/company.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  ids = []
  for (const draft of [true, false, false]) ids.unshift((await createCompany(app, seller, { draft })).id)
  await createCompany(app, await registerSeller(app))
})
afterAll(async () => {
  await app.close()
})

const list = (query = '', token = seller.token) => app.api.get(`companies${query}`, { token })
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map(({ id }: { id: string }) => id)

test('200: only the own companies, newest first, in the envelope and nothing else', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage'])
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(idsOf(answer)).toEqual(ids)
})

test('200: each company carries its own documents', async () => {
  const body = documentForm([{ type: 'selfie' }])
  await app.api.post(`companies/${ids[1]}/documents`, { token: seller.token, body })
  const { data } = (await list()).body
  const types = data.map(({ documents }: { documents: { type: string }[] }) => documents.map(({ type }) => type))
  expect(types).toEqual([[], ['selfie'], []])
})

test('200: pages follow each other and link to each other; past the end there is nothing', async () => {
  const pages = [await list('?perPage=2'), await list('?perPage=2&page=2'), await list('?perPage=2&page=3')]
  expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2), []])
  expect(pages[0]?.headers.get('link')).toContain('rel="next"')
  expect((await list('?perPage=101')).body.perPage).toBe(100)
})

test('200: one or several states choose', async () => {
  expect(idsOf(await list('?status=draft'))).toEqual([ids[2]])
  expect(idsOf(await list('?status=draft&status=awaiting_approval'))).toEqual(ids)
  expect(idsOf(await list('?status=approved'))).toEqual([])
})

test('200: a period chooses by creation, half open', async () => {
  const { createdAt } = (await app.api.get(`companies/${ids[1]}`, { token: seller.token })).body
  expect(idsOf(await list(`?from=${createdAt}`))).toEqual(ids.slice(0, 2))
  expect(idsOf(await list(`?to=${createdAt}`))).toEqual(ids.slice(2))
  expect(idsOf(await list('?from=2020-01-01&to=2020-01-02'))).toEqual([])
})

test('200: deleted companies are left out', async () => {
  const gone = await createCompany(app, seller)
  await app.api.delete(`companies/${gone.id}`, { token: seller.token })
  expect(idsOf(await list())).toEqual(ids)
})

test.each([
  'page=0',
  'page=x',
  'perPage=0',
  'perPage=1.5',
  'status=open',
  'from=yesterday',
  'to=2026-02-30',
  'from=0001-01-01',
])('400: %s', async (query) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.errors[0].in, body.errors[0].path.split('.')[0]]).toEqual([400, 'query', query.split('=')[0]])
})

test('401 and 403: strangers see nothing', async () => {
  expect((await app.api.get('companies')).status).toBe(401)
  expect((await list('', await adminToken(app))).status).toBe(403)
})
