import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  CARD_PAYER,
  card,
  createLink,
  linkPayment,
  payLink,
  postLinkPayment,
  sellerWithLink,
} from '../../support/payment-links.ts'
import { createPayment, eventsOf, getPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

const HIDDEN = ['sellerId', 'customer', 'feeAmount', 'netAmount', 'metadata', 'externalReference', 'paymentLinkId']

test('201: a Pix needs nothing of its payer, and shows what to pay it with and nothing else', async () => {
  const { link } = await sellerWithLink(app, { successUrl: 'https://shop.example.com/ok' })
  const { status, body } = await postLinkPayment(app, link, { amount: 10_000, customer: CARD_PAYER })
  expect(status).toBe(201)
  expect(body).toStrictEqual({
    id: expect.any(String),
    method: 'pix',
    amount: 10_000,
    currency: 'BRL',
    installments: 1,
    installmentAmounts: [10_000],
    status: 'pending',
    statusReason: null,
    pix: { qrCode: expect.stringMatching(/^000201/), expiresAt: TIME, endToEndId: null },
    boleto: null,
    card: null,
    successUrl: null,
    expiresAt: body.pix.expiresAt,
    paidAmount: 0,
    paidAt: null,
    createdAt: TIME,
    updatedAt: body.createdAt,
  })
  expect(Object.keys(body).filter((name) => HIDDEN.includes(name))).toEqual([])
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(3_600_000)
})

test('201: the seller sees the payment as one of the link, with its reference and metadata', async () => {
  const { seller, link } = await sellerWithLink(app, { externalReference: 'order-77', metadata: { a: 'b' } })
  const { id } = await payLink(app, link, { customer: PAYER })
  expect(await getPayment(app, seller, id)).toMatchObject({
    paymentLinkId: link.id,
    description: 'Camiseta azul',
    externalReference: 'order-77',
    metadata: { a: 'b' },
    customer: { name: PAYER.name, document: '52998224725', email: null, phone: null },
  })
  const other = await createLink(app, seller)
  await payLink(app, other)
  const { body } = await app.api.get(`payments?paymentLinkId=${link.id}`, { token: seller.token })
  expect(body.data.map((payment: { id: string }) => payment.id)).toEqual([id])
  const [created] = await eventsOf(app, seller)
  expect(created?.data.paymentLinkId).toBe(link.id)
})

test('201: a boleto with the name and document of its payer', async () => {
  const { link } = await sellerWithLink(app)
  const body = await payLink(app, link, { method: 'boleto', customer: PAYER })
  expect(body).toMatchObject({ method: 'boleto', status: 'pending', pix: null })
  expect(body.boleto).toMatchObject({ line: expect.stringMatching(/^\d{47}$/), barcode: expect.any(String) })
})

test('201: a card is answered with its outcome, and only the paid one says where to go on to', async () => {
  const { link } = await sellerWithLink(app, { maxInstallments: 3, successUrl: 'https://shop.example.com/ok' })
  const paid = await payLink(app, link, card('tok_0001', { installments: 3 }))
  expect(paid).toMatchObject({
    status: 'paid',
    statusReason: null,
    installments: 3,
    installmentAmounts: [3_334, 3_333, 3_333],
    card: { brand: expect.any(String), last4: '0001' },
    successUrl: 'https://shop.example.com/ok',
    paidAt: TIME,
  })
  const declined = await payLink(app, link, card('tok_0005'))
  expect(declined).toMatchObject({ status: 'failed', statusReason: 'card_declined', successUrl: null, paidAt: null })
  const lost = await payLink(app, link, card('tok_0006'))
  expect(lost).toMatchObject({ status: 'processing', statusReason: null, successUrl: null })
})

test('201: the payer chooses the amount of an open link', async () => {
  const { link } = await sellerWithLink(app, { amount: null, minAmount: 500, maxAmount: 900 })
  expect((await payLink(app, link, { amount: 500 })).amount).toBe(500)
  expect((await payLink(app, link, { amount: 900 })).amount).toBe(900)
})

test('201: a repeated Idempotency-Key answers with the first payment; another link knows nothing of it', async () => {
  const { seller, link } = await sellerWithLink(app)
  const key = { 'idempotency-key': 'pay-1' }
  const first = await postLinkPayment(app, link, {}, key)
  const again = await postLinkPayment(app, link, {}, key)
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const changed = await postLinkPayment(app, link, { customer: PAYER }, key)
  expect([changed.status, changed.body.code]).toEqual([422, 'idempotency.key_reused'])
  const other = await postLinkPayment(app, await createLink(app, seller), {}, key)
  expect(other.status).toBe(201)
  expect(other.body.id).not.toBe(first.body.id)
})

test.each([
  ['method', { method: 'debit' }],
  ['customer', { method: 'boleto' }],
  ['customer.document', { method: 'boleto', customer: { name: 'Ana' } }],
  ['customer.document', { customer: { name: 'Ana', document: '111.111.111-11' } }],
  ['customer.email', { ...card(), customer: PAYER }],
  ['customer.name', { customer: { document: '529.982.247-25' } }],
  ['cardToken', { method: 'credit_card', customer: CARD_PAYER }],
  ['cardToken', { cardToken: 'tok_0001' }],
  ['installments', { installments: 1 }],
  ['amount', { amount: 0 }],
  ['description', { description: 'mine' }],
  ['successUrl', { successUrl: 'https://evil.example.com' }],
])('400: %s is refused', async (path, fields) => {
  const { link } = await sellerWithLink(app)
  const { status, body } = await postLinkPayment(app, link, fields)
  expect([status, body.code]).toEqual([400, 'validation.failed'])
  expect(body.errors).toContainEqual(expect.objectContaining({ in: 'body', path }))
})

test('400: a card number is refused wherever it stands', async () => {
  const { link } = await sellerWithLink(app)
  const { status, body } = await postLinkPayment(app, link, card('4000000000000010'))
  expect([status, body.errors[0].code]).toEqual([400, 'card_number'])
})

test('400: what the link does not offer is named, every fault at once', async () => {
  const { link } = await sellerWithLink(app, { amount: null, minAmount: 500, methods: ['credit_card'] })
  const missing = await postLinkPayment(app, link, card())
  expect([missing.status, missing.body.errors]).toEqual([
    400,
    [{ in: 'body', path: 'amount', code: 'required', message: expect.any(String) }],
  ])
  const low = await postLinkPayment(app, link, { amount: 499 })
  expect(low.status).toBe(400)
  expect(low.body.errors.map(({ path, code }: Record<string, string>) => [path, code])).toEqual([
    ['amount', 'too_small'],
    ['method', 'not_offered'],
  ])
  const parts = await postLinkPayment(app, link, card('tok_0001', { amount: 500, installments: 2 }))
  expect([parts.status, parts.body.errors[0].path]).toEqual([400, 'installments'])
})

test('409: a seller who may not receive takes nothing through a link', async () => {
  const { seller, link } = await sellerWithLink(app)
  await app.sql.query('update users set approved = false where id = $1', [seller.id])
  const { status, body } = await postLinkPayment(app, link)
  expect([status, body.code]).toEqual([409, 'payment_link.inactive'])
})

test('422: without a fee nothing is taken', async () => {
  const { seller, link } = await sellerWithLink(app)
  await app.sql.query('update fees set is_active = false')
  const { status, body } = await postLinkPayment(app, link)
  await app.sql.query('update fees set is_active = true')
  expect([status, body.code]).toEqual([422, 'fee.not_configured'])
  expect((await app.api.get('payments', { token: seller.token })).body.totalRecords).toBe(0)
})

test('404: nobody pays through a link that does not exist', async () => {
  const { status, body } = await postLinkPayment(app, { hash: 'nothing' })
  expect([status, body.code]).toEqual([404, 'payment_link.not_found'])
})

test('200: a payer sees their payment turn to paid, and then where to go on to', async () => {
  const { seller, link } = await sellerWithLink(app, { successUrl: 'https://shop.example.com/ok' })
  const begun = await payLink(app, link)
  expect((await linkPayment(app, link, begun.id)).body).toStrictEqual(begun)
  await pay(app, seller, begun.id)
  await until('it is paid', async () => (await getPayment(app, seller, begun.id)).status === 'paid')
  const { body } = await linkPayment(app, link, begun.id)
  expect(body).toMatchObject({ status: 'paid', paidAt: TIME, successUrl: 'https://shop.example.com/ok' })
  await app.sql.query(`update payments set status = 'in_dispute' where id = $1`, [begun.id])
  expect((await linkPayment(app, link, begun.id)).body.status).toBe('paid')
})

test('404: a payment of another link, or of none, is as good as missing', async () => {
  const { seller, link } = await sellerWithLink(app)
  const other = await createLink(app, seller)
  const { id } = await payLink(app, other)
  const own = await createPayment(app, seller)
  const stranger = await sellerWithLink(app)
  for (const wrong of [id, own.id, (await payLink(app, stranger.link)).id, app.services.newId()]) {
    const { status, body } = await linkPayment(app, link, wrong)
    expect([status, body.code]).toEqual([404, 'payment.not_found'])
  }
  expect((await linkPayment(app, { hash: 'nothing' }, id)).body.code).toBe('payment_link.not_found')
  expect((await linkPayment(app, other, 'nothing')).body.code).toBe('validation.failed')
})

test('what a seller sends cannot say that a payment is of a link', async () => {
  const { seller, link } = await sellerWithLink(app)
  const body = { method: 'pix', amount: 10_000, paymentLinkId: link.id }
  expect((await app.api.post('payments', { token: seller.token, body })).status).toBe(400)
})

test('a seller of another link is not asked: payers are nobody’s users', async () => {
  const { link } = await sellerWithLink(app)
  const { token } = await sellingSeller(app)
  expect((await app.api.post(`payment-links/${link.hash}/payments`, { token, body: { method: 'pix' } })).status).toBe(
    201,
  )
})
