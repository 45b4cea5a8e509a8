import { afterAll, beforeAll, expect, test } from 'vitest'
import { isBoletoLine } from '../../../src/domain/boleto.ts'
import { parseBrCode } from '../../../src/domain/br-code.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { createPayment, eventsOf, getPayment, PAYER, postPayment, sellingSeller } from '../../support/payments.ts'
import { joinTeam } from '../../support/team.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(() => app.close())

const countOf = async (table: string, id: string): Promise<number> => {
  const { rows } = await app.sql.query(`select count(*) from ${table} where seller_id = $1`, [id])
  return Number(rows[0].count)
}

test('201: a member makes payments of the account that they work for', async () => {
  const member = await joinTeam(app, seller, 'developer')
  const { status, body } = await postPayment(app, member)
  expect([status, body.sellerId]).toEqual([201, seller.id])
})

test('201: a Pix is born pending with a valid BR Code, and its seller is told', async () => {
  const fields = { customer: PAYER, description: 'Pedido 77', externalReference: 'order-77', metadata: { a: 'b' } }
  const { status, body } = await postPayment(app, seller, { ...fields, expiresInSeconds: 3_600 })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    sellerId: seller.id,
    method: 'pix',
    status: 'pending',
    amount: 10_000,
    paidAmount: 0,
    currency: 'BRL',
    customer: { name: PAYER.name, document: '52998224725', email: null, phone: null },
    externalReference: 'order-77',
    metadata: { a: 'b' },
    provider: 'sandbox',
    boleto: null,
    card: null,
  })
  expect(parseBrCode(body.pix.qrCode)?.get('26')).toContain(body.pix.txid)
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(3_600_000)
  const event = (await eventsOf(app, seller)).find(({ data }) => data.id === body.id)
  expect(event).toMatchObject({ type: 'payment.created', data: { status: 'pending' } })
  expect(event?.data.customer.document).toBe('***.982.247-**')
})

test('201: a boleto has a line with right check digits and the due date that was asked for', async () => {
  const body = await createPayment(app, seller, { method: 'boleto', customer: PAYER })
  expect(isBoletoLine(body.boleto.line)).toBe(true)
  expect(body).toMatchObject({ status: 'pending', pix: null })
  expect(body.boleto.pdfUrl).toContain(`/pay/boletos/${body.id}/`)
  expect(body.boleto.dueDate > body.createdAt.slice(0, 10)).toBe(true)
})

test.each([
  ['tok_0000', 'paid', null],
  ['tok_0001', 'paid', null],
  ['tok_0002', 'failed', 'card_denied'],
  ['tok_0003', 'failed', 'card_expired'],
  ['tok_0004', 'paid', null],
  ['tok_0005', 'failed', 'card_blocked'],
  ['tok_0006', 'processing', 'provider_timeout'],
  ['tok_0007', 'failed', 'card_canceled'],
  ['tok_0008', 'failed', 'card_problem'],
])('201: a card with the token %s is %s', async (cardToken, status, statusReason) => {
  const body = await createPayment(app, seller, { method: 'credit_card', cardToken })
  expect(body).toMatchObject({ status, statusReason })
  expect(JSON.stringify(body)).not.toContain(cardToken)
})

test('201: a token that ends in 9 always has the same outcome', async () => {
  const first = await createPayment(app, seller, { method: 'credit_card', cardToken: 'tok_0009' })
  const second = await createPayment(app, seller, { method: 'credit_card', cardToken: 'tok_0009' })
  expect(['paid', 'failed']).toContain(first.status)
  expect(second.status).toBe(first.status)
})

test('201: the code of a Pix names the seller, in letters that codes have room for', async () => {
  const fresh = await sellingSeller(app)
  await app.sql.query(`update companies set trade_name = 'Açaí & Pão da Maria' where seller_id = $1`, [fresh.id])
  expect((await createPayment(app, fresh, {})).pix.qrCode).toContain('5919Acai & Pao da Maria6009Sao Paulo')
  await app.sql.query(`update companies set trade_name = '日本' where seller_id = $1`, [fresh.id])
  expect((await createPayment(app, fresh, {})).pix.qrCode).toContain('5907Sandbox')
})

test('201: the token of a card is forgotten as soon as its outcome is known', async () => {
  const { id } = await createPayment(app, seller, { method: 'credit_card', cardToken: 'tok_0001' })
  const { rows } = await app.sql.query('select card_token from payments where id = $1', [id])
  expect(rows[0].card_token).toBeNull()
})

test('201: ten concurrent repeats of one key make one payment and one event', async () => {
  const fresh = await sellingSeller(app)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => postPayment(app, fresh, { amount: 500 }, { key: 'same-key' })),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect(new Set(made.map(({ text }) => text)).size).toBe(1)
  expect(made.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')).toHaveLength(1)
  expect(await countOf('payments', fresh.id)).toBe(1)
  expect(await eventsOf(app, fresh)).toHaveLength(1)
})

test('201: ten concurrent repeats of one key charge one card once', async () => {
  const fresh = await sellingSeller(app)
  const fields = { method: 'credit_card', cardToken: 'tok_0001', amount: 700 }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => postPayment(app, fresh, fields, { key: 'card-key' })),
  )
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect(answers.some(({ status }) => status === 201)).toBe(true)
  expect(await countOf('payments', fresh.id)).toBe(1)
  expect((await eventsOf(app, fresh)).map(({ type }) => type)).toEqual(['payment.created', 'payment.paid'])
})

test('201: a repeated Idempotency-Key answers with the first payment, also after it has changed', async () => {
  const first = await postPayment(app, seller, {}, { key: 'repeat-1' })
  await app.api.post(`payments/${first.body.id}/cancel`, { token: seller.token })
  const second = await postPayment(app, seller, {}, { key: 'repeat-1' })
  expect(second.status).toBe(201)
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
})

test('422: an Idempotency-Key with another body is refused', async () => {
  await postPayment(app, seller, {}, { key: 'reused' })
  const { status, body } = await postPayment(app, seller, { amount: 1 }, { key: 'reused' })
  expect([status, body.code]).toEqual([422, 'idempotency.key_reused'])
})

test('422: a refusal by a business rule is repeated as well', async () => {
  const fresh = await registerSeller(app)
  const first = await postPayment(app, fresh, {}, { key: 'refused' })
  await app.sql.query('update users set approved = true where id = $1', [fresh.id])
  const second = await postPayment(app, fresh, {}, { key: 'refused' })
  expect([first.status, first.body.code]).toEqual([403, 'seller.not_approved'])
  expect(second.text).toBe(first.text)
})

test('403: a seller who is not approved cannot receive payments', async () => {
  const { status, body } = await postPayment(app, await registerSeller(app))
  expect([status, body.code]).toEqual([403, 'seller.not_approved'])
})

test('422: without a fee for the method and installments nothing is made', async () => {
  await app.sql.query(`update fees set is_active = false where method = 'boleto'`)
  const { status, body } = await postPayment(app, seller, { method: 'boleto', customer: PAYER })
  await app.sql.query(`update fees set is_active = true where method = 'boleto'`)
  expect([status, body.code]).toEqual([422, 'fee.not_configured'])
})

test('404: a customer of another seller looks exactly like a missing one', async () => {
  const other = await sellingSeller(app)
  const now = new Date()
  const id = app.services.newId()
  await app.sql.query(
    `insert into customers (seller_id, id, name, metadata, created_at, updated_at) values ($1, $2, 'Ana', '{}', $3, $3)`,
    [other.id, id, now],
  )
  const foreign = await postPayment(app, seller, { customerId: id })
  const missing = await postPayment(app, seller, { customerId: app.services.newId() })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'customer.not_found'])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  const own = await postPayment(app, other, { customerId: id })
  expect(own.body).toMatchObject({ customerId: id, customer: { name: 'Ana' } })
})

const TODAY = new Date().toISOString().slice(0, 10)

test.each([
  [{ amount: 0 }, 'amount'],
  [{ amount: 1.5 }, 'amount'],
  [{ method: 'cash' }, 'method'],
  [{ cardToken: 'tok_1' }, 'cardToken'],
  [{ installments: 2 }, 'installments'],
  [{ capture: false }, 'capture'],
  [{ dueDate: TODAY }, 'customer'],
  [{ expiresInSeconds: 59 }, 'expiresInSeconds'],
  [{ expiresInSeconds: 2_592_001 }, 'expiresInSeconds'],
  [{ method: 'credit_card' }, 'cardToken'],
  [{ method: 'boleto' }, 'customer'],
  [{ method: 'boleto', customer: { name: 'Ana' } }, 'customer.document'],
  [{ method: 'boleto', customer: PAYER, dueDate: '2020-01-01' }, 'dueDate'],
  [{ method: 'boleto', customer: PAYER, dueDate: '2099-01-01' }, 'dueDate'],
  [{ method: 'boleto', customer: PAYER, dueDate: '2026-02-30' }, 'dueDate'],
  [{ method: 'boleto', customer: PAYER, amount: 10_000_000_000 }, 'amount'],
  [{ customer: { name: 'Ana', document: '11111111111' } }, 'customer.document'],
  [{ customerId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', customer: PAYER }, 'customer'],
  [{ unknown: true }, 'unknown'],
  [{ description: '4111 1111 1111 1111' }, 'description'],
])('400: %j names the field %s', async (fields, path) => {
  const { status, body } = await postPayment(app, seller, fields)
  expect([status, body.code]).toEqual([400, 'validation.failed'])
  expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path)
})

test('401: without a token nothing else is looked at', async () => {
  const { status, body } = await app.api.post('payments', { body: { nonsense: true } })
  expect([status, body.code]).toEqual([401, 'auth.token_missing'])
})

test('403: an administrator is no seller', async () => {
  const { status } = await app.api.post('payments', { token: await adminToken(app), body: {} })
  expect(status).toBe(403)
})

test('201: the fee is kept as it was, and is closed by the first payment made with it', async () => {
  const { id } = await createPayment(app, seller)
  const { rows } = await app.sql.query(
    'select f.used_at, p.fee_percentage_bps = f.percentage_bps as same from payments p join fees f on f.id = p.fee_id where p.id = $1',
    [id],
  )
  expect(rows[0].used_at).toBeInstanceOf(Date)
  expect(rows[0].same).toBe(true)
  expect((await getPayment(app, seller, id)).id).toBe(id)
})
