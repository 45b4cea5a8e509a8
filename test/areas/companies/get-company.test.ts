import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(async () => {
  await app.close()
})

const get = (id: string, token = seller.token) => app.api.get(`companies/${id}`, { token })

test('200: the company as it was created', async () => {
  const company = await createCompany(app, seller)
  const { status, body } = await get(company.id)
  expect(status).toBe(200)
  expect(body).toEqual(company)
})

test("404: another seller's company looks exactly like a missing one", async () => {
  const foreign = await createCompany(app, await registerSeller(app))
  const answers = [await get(foreign.id), await get('01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00')]
  const [first, second] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toEqual(second)
  expect(first).toMatchObject({ status: 404, rest: { code: 'company.not_found' } })
})

test('404: a deleted company is gone', async () => {
  const company = await createCompany(app, seller)
  await app.api.delete(`companies/${company.id}`, { token: seller.token })
  expect((await get(company.id)).status).toBe(404)
})

test.each(['1', 'not-a-uuid', '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e0g'])('400: %s is no id', async (id) => {
  const { status, body } = await get(id)
  expect([status, body.errors[0].in, body.errors[0].path]).toEqual([400, 'params', 'id'])
})

test('401 and 403: strangers see nothing', async () => {
  const { id } = await createCompany(app, seller)
  expect((await app.api.get(`companies/${id}`)).status).toBe(401)
  expect((await get(id, await adminToken(app))).status).toBe(403)
})
