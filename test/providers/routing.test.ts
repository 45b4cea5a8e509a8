import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { paidNotification, signedCallback } from '../support/callbacks.ts'
import { adminToken } from '../support/factories.ts'
import { postLink } from '../support/payment-links.ts'
import { createPayment, getPayment, PAYER, postPayment, sellingSeller } from '../support/payments.ts'
import { sellerWith } from '../support/withdrawals.ts'

let app: TestApp
let onlyBoleto: TestApp

beforeAll(async () => {
  ;[app, onlyBoleto] = await Promise.all([startTestApp(), startTestApp({ BOLETO_PROVIDER: 'sandbox' })])
})

afterAll(() => Promise.all([app.close(), onlyBoleto.close()]))

test('422: a method that nobody serves is refused by its name, and one that is served is not', async () => {
  const seller = await sellingSeller(onlyBoleto)
  for (const fields of [{}, { method: 'credit_card', cardToken: 'tok_0001' }]) {
    const { status, body } = await postPayment(onlyBoleto, seller, fields)
    expect([status, body.code]).toEqual([422, 'payment.method_unavailable'])
  }
  expect((await postPayment(onlyBoleto, seller, { method: 'boleto', customer: PAYER })).status).toBe(201)
})

test('422: where nobody pays out, no withdrawal is taken', async () => {
  const { token } = await sellerWith(onlyBoleto, 10_000)
  const headers = { 'idempotency-key': 'w1' }
  const asked = { amount: 5_000, pixKeyType: 'email', pixKey: 'maria@example.com' }
  const { status, body } = await onlyBoleto.api.post('withdrawals', { token, headers, body: asked })
  expect([status, body.code]).toEqual([422, 'withdrawal.unavailable'])
})

test('200: payers are shown what is served', async () => {
  const seller = await sellingSeller(onlyBoleto)
  const link = await postLink(onlyBoleto, seller, { methods: ['pix', 'boleto', 'credit_card'] })
  expect((await onlyBoleto.api.get(`payment-links/${link.body.hash}`)).body.methods).toEqual(['boleto'])
})

test('200: the status, every answer and the dashboard say that money is simulated', async () => {
  const answer = await app.api.get('status')
  expect([answer.body.environment, answer.headers.get('x-environment')]).toEqual(['sandbox', 'sandbox'])
  const { body } = await app.api.get('admin/dashboard', { token: await adminToken(app) })
  expect(body.provider.name).toBe('sandbox')
})

test('200: a callback below the provider’s address is the same as one to it', async () => {
  const seller = await sellingSeller(app)
  const { id, pix } = await createPayment(app, seller)
  expect(pix.txid).toBe(id.replaceAll('-', ''))
  const { body, headers } = signedCallback(app, [paidNotification(id)])
  expect((await app.api.post('/callbacks/sandbox/pix', { body, headers })).status).toBe(200)
  await app.services.providerEvents.idle()
  expect((await getPayment(app, seller, id)).status).toBe('paid')
  expect((await app.api.post('/callbacks/nobody/pix', { body, headers })).status).toBe(404)
})
