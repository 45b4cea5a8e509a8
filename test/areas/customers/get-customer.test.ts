import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer, scopedToken } from '../../support/customers.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(async () => {
  await app.close()
})

const get = (id: string, token = seller.token) => app.api.get(`customers/${id}`, { token })

test('200: exactly what the creation answered', async () => {
  const customer = await createCustomer(app, seller)
  const { status, body } = await get(customer.id)
  expect([status, body]).toStrictEqual([200, customer])
})

test('400: a bad id is no id', async () => {
  expect((await get('nonsense')).body).toMatchObject({ status: 400, errors: [{ in: 'params', path: 'id' }] })
})

test("404: another seller's customer and a deleted one look exactly like a missing one", async () => {
  const foreign = await createCustomer(app, await registerSeller(app))
  const deleted = await createCustomer(app, seller)
  await app.api.delete(`customers/${deleted.id}`, { token: seller.token })
  const missing = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
  const answers = [await get(missing), await get(foreign.id), await get(deleted.id)]
  const [first, ...others] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toMatchObject({ status: 404, rest: { code: 'customer.not_found' } })
  expect(others).toStrictEqual([first, first])
})

test('401 and 403: strangers see nothing, and credentials need their scope', async () => {
  const { id } = await createCustomer(app, seller)
  expect((await app.api.get(`customers/${id}`)).status).toBe(401)
  expect((await get(id, await adminToken(app))).body.code).toBe('auth.forbidden')
  expect((await get(id, await scopedToken(app, seller, ['customers:write']))).body.code).toBe('auth.scope_missing')
  expect((await get(id, await scopedToken(app, seller, ['customers:read']))).status).toBe(200)
})
