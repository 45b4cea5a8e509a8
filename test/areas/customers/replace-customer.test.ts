import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { ADDRESS, createCustomer, customerBody, newCpf, scopedToken } from '../../support/customers.ts'
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

const put = (id: string, body: unknown, token = seller.token) => app.api.put(`customers/${id}`, { token, body })

test('200: every field is replaced, and what identifies the customer stays', async () => {
  const customer = await createCustomer(app, seller)
  const next = customerBody({ name: 'Outro', email: 'outro@example.com', metadata: {}, externalReference: 'x' })
  const { status, body } = await put(customer.id, next)
  expect(status).toBe(200)
  expect(body).toStrictEqual({ ...customer, ...next, updatedAt: body.updatedAt })
  expect(body.updatedAt > customer.updatedAt).toBe(true)
  expect((await app.api.get(`customers/${customer.id}`, { token: seller.token })).body).toStrictEqual(body)
})

test('200: what is left out is taken away', async () => {
  const { id } = await createCustomer(app, seller)
  const { body } = await put(id, { name: 'Ana' })
  const nothing = {
    email: null,
    document: null,
    documentType: null,
    phone: null,
    address: null,
    externalReference: null,
  }
  expect(body).toMatchObject({ name: 'Ana', ...nothing, metadata: {} })
})

test('200: the own document may stay', async () => {
  const { id, document } = await createCustomer(app, seller)
  expect((await put(id, customerBody({ document }))).status).toBe(200)
})

test('409: of several customers who take one document at once, one gets it', async () => {
  const customers = await Promise.all(Array.from({ length: 3 }, () => createCustomer(app, seller)))
  const document = newCpf()
  const answers = await Promise.all(customers.map(({ id }) => put(id, customerBody({ document }))))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('customer.document_taken')
})

test.each([
  ['name', { name: '' }],
  ['email', { email: 'x' }],
  ['document', { document: '52998224724' }],
  ['documentType', { documentType: 'cnpj' }],
  ['phone', { phone: 'x' }],
  ['address.zipCode', { address: { ...ADDRESS, zipCode: 'x' } }],
  ['address.state', { address: { ...ADDRESS, state: 'XX' } }],
  ['externalReference', { externalReference: '' }],
  ['metadata.a', { metadata: { a: 1 } }],
  ['createdAt', { createdAt: '2026-01-01T00:00:00.000Z' }],
])('400: a bad %s', async (path, fields) => {
  const { id } = await createCustomer(app, seller)
  const { status, body } = await put(id, customerBody(fields))
  expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toStrictEqual([400, [path]])
})

test('400: a part of a customer is not a customer, and a bad id no id', async () => {
  const { id } = await createCustomer(app, seller)
  expect((await put(id, { email: 'ana@example.com' })).status).toBe(400)
  expect((await put('nonsense', customerBody())).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
})

test("404: another seller's customer and a deleted one look exactly like a missing one", async () => {
  const foreign = await createCustomer(app, await registerSeller(app))
  const deleted = await createCustomer(app, seller)
  await app.api.delete(`customers/${deleted.id}`, { token: seller.token })
  const ids = ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', foreign.id, deleted.id]
  const answers = await Promise.all(ids.map((id) => put(id, customerBody())))
  const [first, ...others] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toMatchObject({ status: 404, rest: { code: 'customer.not_found' } })
  expect(others).toStrictEqual([first, first])
  const { rows } = await app.sql.query('select name from customers where id = $1', [deleted.id])
  expect(rows).toStrictEqual([{ name: 'Anonimizado' }])
})

test('401 and 403: strangers change nothing, and credentials need their scope', async () => {
  const { id } = await createCustomer(app, seller)
  expect((await app.api.put(`customers/${id}`, { body: customerBody() })).status).toBe(401)
  expect((await put(id, customerBody(), await adminToken(app))).body.code).toBe('auth.forbidden')
  const reader = await scopedToken(app, seller, ['customers:read'])
  expect((await put(id, customerBody(), reader)).body.code).toBe('auth.scope_missing')
})
