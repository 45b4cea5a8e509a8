import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer, customerBody, scopedToken } from '../../support/customers.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { createPayment, getPayment, pay, postPayment, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})
afterAll(async () => {
  await app.close()
})

const ANONYMOUS = { name: 'Anonimizado', document: null, email: null, phone: null }

const remove = (id: string, token = seller.token) => app.api.delete(`customers/${id}`, { token })

test('204: the person is gone from the record, which stays, and the document is free', async () => {
  const { id, document } = await createCustomer(app, seller)
  const answer = await remove(id)
  expect([answer.status, answer.text]).toStrictEqual([204, ''])
  const { rows } = await app.sql.query('select * from customers where id = $1', [id])
  expect(rows).toMatchObject([
    {
      seller_id: seller.id,
      id,
      ...ANONYMOUS,
      document_type: null,
      address: null,
      external_reference: null,
      metadata: {},
    },
  ])
  expect(rows[0].deleted_at).toBeInstanceOf(Date)
  expect((await createCustomer(app, seller, { document })).document).toBe(document)
})

test('204: payments forget who paid and keep everything else', async () => {
  const customer = await createCustomer(app, seller)
  const { id: otherId } = await createCustomer(app, seller)
  const made = await createPayment(app, seller, { customerId: customer.id, externalReference: 'order-1' })
  const other = await createPayment(app, seller, { customerId: otherId })
  expect(made.customer).toStrictEqual({
    name: customer.name,
    document: customer.document,
    email: customer.email,
    phone: customer.phone,
  })
  const [before, others] = [await getPayment(app, seller, made.id), await getPayment(app, seller, other.id)]
  expect((await remove(customer.id)).status).toBe(204)
  expect(await getPayment(app, seller, made.id)).toStrictEqual({ ...before, customer: ANONYMOUS })
  expect(await getPayment(app, seller, other.id)).toStrictEqual(others)
})

test('204: a payment that was made before can still be paid', async () => {
  const { id } = await createCustomer(app, seller)
  const payment = await createPayment(app, seller, { customerId: id })
  await remove(id)
  expect((await pay(app, seller, payment.id, { amount: payment.amount })).status).toBe(202)
  await app.services.providerEvents.jobs.processProviderEvents.runOnce()
  expect(await getPayment(app, seller, payment.id)).toMatchObject({ status: 'paid', customer: ANONYMOUS })
})

test('204: the audit log says that it was done, and nothing of the person', async () => {
  const customer = await createCustomer(app, seller)
  await createPayment(app, seller, { customerId: customer.id })
  await remove(customer.id)
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [customer.id])
  expect(rows).toMatchObject([
    {
      actor_id: seller.id,
      actor_role: 'seller',
      action: 'customer.anonymize',
      target_type: 'customer',
      seller_id: seller.id,
    },
  ])
  expect([rows[0].before, rows[0].after]).toStrictEqual([null, { paymentsCount: 1 }])
})

test('404: a second deletion finds nobody, and of several at once one acts', async () => {
  const { id } = await createCustomer(app, seller)
  const answers = await Promise.all(Array.from({ length: 4 }, () => remove(id)))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([204, 404, 404, 404])
  expect((await remove(id)).body.code).toBe('customer.not_found')
  const { rows } = await app.sql.query('select 1 from audit_log where target_id = $1', [id])
  expect(rows).toHaveLength(1)
})

test('404: a deleted customer pays nothing any more', async () => {
  const { id } = await createCustomer(app, seller)
  await remove(id)
  const { status, body } = await postPayment(app, seller, { customerId: id })
  expect([status, body.code]).toStrictEqual([404, 'customer.not_found'])
})

test('204: no payment keeps the person when it is made while they are being deleted', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await createCustomer(app, seller)
    const [deletion, ...payments] = await Promise.all([
      remove(id),
      ...Array.from({ length: 8 }, () => postPayment(app, seller, { customerId: id })),
    ])
    expect(deletion?.status).toBe(204)
    for (const { status } of payments) expect([201, 404]).toContain(status)
    const { rows } = await app.sql.query(
      "select distinct customer ->> 'name' as name from payments where customer_id = $1",
      [id],
    )
    expect(rows.filter(({ name }) => name !== 'Anonimizado')).toStrictEqual([])
  }
})

const isWaiting = async () => {
  const { rows } = await app.sql.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

test('204: a deletion waits for the payment that is being made, and takes the person out of it', async () => {
  const { id } = await createCustomer(app, seller)
  const { id: paymentId } = await createPayment(app, seller, { customerId: id })
  let deletion: ReturnType<typeof remove> | undefined
  await app.services.transact(async (tx) => {
    await tx.paymentTerms.findPayers([{ sellerId: seller.id, customerId: id }])
    const payment = await tx.payments.find(seller.id, paymentId)
    if (payment === undefined) throw new Error('the payment is missing')
    deletion = remove(id)
    await until('the deletion waits', isWaiting)
    await tx.payments.insertMany([{ ...payment, id: app.services.newId() }])
  })
  expect((await deletion)?.status).toBe(204)
  const { rows } = await app.sql.query('select customer from payments where customer_id = $1', [id])
  expect(rows).toStrictEqual([{ customer: ANONYMOUS }, { customer: ANONYMOUS }])
})

test('404: a change that meets a deletion never brings the person back', async () => {
  const { id } = await createCustomer(app, seller)
  const change = () => app.api.put(`customers/${id}`, { token: seller.token, body: customerBody() })
  await Promise.all([change(), change(), remove(id), change()])
  expect((await change()).status).toBe(404)
  const { rows } = await app.sql.query('select name, email, document from customers where id = $1', [id])
  expect(rows).toStrictEqual([{ name: 'Anonimizado', email: null, document: null }])
})

test("404: another seller's customer looks exactly like a missing one and stays as they are", async () => {
  const owner = await registerSeller(app)
  const customer = await createCustomer(app, owner)
  const answers = [await remove(customer.id), await remove('01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00')]
  const [first, second] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toStrictEqual(second)
  expect(first).toMatchObject({ status: 404, rest: { code: 'customer.not_found' } })
  expect((await app.api.get(`customers/${customer.id}`, { token: owner.token })).body).toStrictEqual(customer)
})

test('400, 401 and 403: a bad id, no token, an administrator, credentials without the scope', async () => {
  const { id } = await createCustomer(app, seller)
  expect((await remove('nonsense')).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
  expect((await app.api.delete(`customers/${id}`)).status).toBe(401)
  expect((await remove(id, await adminToken(app))).body.code).toBe('auth.forbidden')
  expect((await remove(id, await scopedToken(app, seller, ['customers:read']))).body.code).toBe('auth.scope_missing')
})
