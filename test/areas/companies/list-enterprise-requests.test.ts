import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { companyBody, documentForm } from '../../support/company.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let admin: string
let seller: Seller
let ids: { early: string; returned: string; late: string }

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await registerSeller(app)
  const returned = await createCompany(app, seller)
  const early = await createCompany(app, seller)
  const late = await createCompany(app, await registerSeller(app), { tradeName: 'Tarde' })
  await createCompany(app, seller, { draft: true })
  await approveCompany(app, (await createCompany(app, seller)).id)
  await app.api.post(`admin/enterprises/${returned.id}/request-changes`, { token: admin, body: { reason: 'Address' } })
  await app.api.put(`companies/${returned.id}`, { token: seller.token, body: companyBody({ cnpj: returned.cnpj }) })
  ids = { early: early.id, late: late.id, returned: returned.id }
})
afterAll(async () => {
  await app.close()
})

const list = (query = '', token = admin) => app.api.get(`admin/enterprises/requests${query}`, { token })
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map(({ id }: { id: string }) => id)

test('200: only those that await approval, the one that has waited longest first', async () => {
  const answer = await list()
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(idsOf(answer)).toEqual([ids.early, ids.late, ids.returned])
})

test('200: each with its user and the states of its documents', async () => {
  const body = documentForm([{}, {}])
  const sent = await app.api.post(`companies/${ids.early}/documents`, { token: seller.token, body })
  const document = sent.body.documents[0].id
  await app.api.post(`admin/enterprises/${ids.early}/documents/${document}/approve`, { token: admin })
  const [first] = (await list()).body.data
  expect(first).toMatchObject({
    status: 'awaiting_approval',
    user: { id: seller.id, name: 'Maria da Silva', email: seller.email, companyName: 'Padaria da Maria', phone: null },
    documentStatuses: { pending: 1, approved: 1, rejected: 0, superseded: 0 },
  })
  expect(first.submittedAt).toBe(first.createdAt)
})

test('200: pages and filters', async () => {
  expect(idsOf(await list('?perPage=1&page=2'))).toEqual([ids.late])
  expect(idsOf(await list('?page=5'))).toEqual([])
  expect(idsOf(await list(`?sellerId=${seller.id}`))).toEqual([ids.early, ids.returned])
  expect(idsOf(await list('?search=tarde'))).toEqual([ids.late])
  expect(idsOf(await list('?to=2020-01-01'))).toEqual([])
})

test.each(['search=', 'sellerId=7', 'page=0', 'perPage=0', 'from=x', 'to=x'])('400: %s', async (query) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.errors[0].in, body.errors[0].path]).toEqual([400, 'query', query.split('=')[0]])
})

test('401 and 403: no token, a seller', async () => {
  expect((await app.api.get('admin/enterprises/requests')).status).toBe(401)
  expect((await list('', seller.token)).status).toBe(403)
})
