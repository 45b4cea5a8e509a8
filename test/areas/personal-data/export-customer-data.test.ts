import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer } from '../../support/customers.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let admin: string
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await sellingSeller(app)
})
afterAll(async () => {
  await app.close()
})

const read = (sellerId: string, id: string, token = admin) =>
  app.api.get(`admin/customers/${sellerId}/${id}/personal-data`, { token })

test('200: the customer and what each of their payments tells of them', async () => {
  const customer = await createCustomer(app, seller)
  const pix = await createPayment(app, seller, {
    customerId: customer.id,
    description: 'Pedido 1',
    metadata: { a: 'b' },
  })
  const card = await createPayment(app, seller, {
    customerId: customer.id,
    method: 'credit_card',
    cardToken: 'tok_sandbox_0001',
  })
  await createPayment(app, seller, { customerId: (await createCustomer(app, seller)).id })
  const { status, body } = await read(seller.id, customer.id)
  expect(status).toBe(200)
  expect(body.customer).toStrictEqual(customer)
  expect(body.payments.totalRecords).toBe(2)
  expect(body.payments.data).toMatchObject([
    { id: card.id, card: { last4: card.card.last4, brand: card.card.brand } },
    { id: pix.id, customer: pix.customer, card: null, description: 'Pedido 1', metadata: { a: 'b' }, amount: 10_000 },
  ])
})

test('200: each access is in the audit log, also in the document itself', async () => {
  const { id } = await createCustomer(app, seller)
  await read(seller.id, id)
  const { body } = await read(seller.id, id)
  expect(body.auditLog.totalRecords).toBe(2)
  expect(body.auditLog.data[0]).toMatchObject({
    actorId: claimsOf(admin).sub,
    action: 'customer.export_personal_data',
    targetType: 'customer',
    targetId: id,
    sellerId: seller.id,
  })
})

test('200: of a deleted customer nothing is left but the amounts', async () => {
  const customer = await createCustomer(app, seller)
  const payment = await createPayment(app, seller, { customerId: customer.id })
  await app.api.delete(`customers/${customer.id}`, { token: seller.token })
  const { body, text } = await read(seller.id, customer.id)
  expect(body.customer).toMatchObject({ name: 'Anonimizado', document: null, deletedAt: expect.any(String) })
  expect(body.payments.data).toMatchObject([{ id: payment.id, amount: 10_000, customer: { name: 'Anonimizado' } }])
  for (const told of [customer.name, customer.email, customer.document, customer.phone, customer.externalReference]) {
    expect(text).not.toContain(told)
  }
})

test('404: a customer is found only with their own seller, and a failed access writes nothing', async () => {
  const { id } = await createCustomer(app, seller)
  const other = await registerSeller(app)
  const missing = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
  for (const [sellerId, customerId] of [
    [other.id, id],
    [seller.id, missing],
  ]) {
    expect((await read(sellerId ?? '', customerId ?? '')).body).toMatchObject({
      status: 404,
      code: 'customer.not_found',
    })
  }
  const { rows } = await app.sql.query('select 1 from audit_log where target_id = any($1::uuid[])', [[id, missing]])
  expect(rows).toStrictEqual([])
})

test('400, 401 and 403: bad ids, no token, the seller themselves', async () => {
  const { id } = await createCustomer(app, seller)
  const { status, body } = await read('x', 'y')
  const faults = body.errors.map((fault: { in: string; path: string }) => [fault.in, fault.path])
  expect([status, faults]).toStrictEqual([
    400,
    [
      ['params', 'sellerId'],
      ['params', 'id'],
    ],
  ])
  expect((await app.api.get(`admin/customers/${seller.id}/${id}/personal-data`)).status).toBe(401)
  expect((await read(seller.id, id, seller.token)).body).toMatchObject({ status: 403, code: 'auth.forbidden' })
})
