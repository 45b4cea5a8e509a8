import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { callBack, paidNotification, signedCallback } from '../../support/callbacks.ts'
import type { Seller } from '../../support/factories.ts'
import { balancesOf, createPayment, eventsOf, getPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(() => app.close())

const cancel = (id: string, token = seller.token) => app.api.post(`payments/${id}/cancel`, { token })

test.each([
  { method: 'pix' },
  { method: 'boleto', customer: PAYER },
  { method: 'credit_card', cardToken: 'tok_0001', capture: false },
])('200: what nobody paid is canceled once: $method', async (fields) => {
  const { id } = await createPayment(app, seller, fields)
  const first = await cancel(id)
  expect([first.status, first.body.status]).toEqual([200, 'canceled'])
  expect(first.body.canceledAt).not.toBeNull()
  expect((await cancel(id)).body).toEqual(first.body)
  const canceled = (await eventsOf(app, seller)).filter(
    (event) => event.data.id === id && event.type === 'payment.canceled',
  )
  expect(canceled).toHaveLength(1)
})

test('409: a paid payment is not canceled', async () => {
  const { id } = await createPayment(app, seller)
  await pay(app, seller, id)
  const { status, body } = await cancel(id)
  expect([status, body.code]).toEqual([409, 'payment.not_cancelable'])
})

test('404: another seller cannot cancel', async () => {
  const { id } = await createPayment(app, seller)
  expect((await cancel(id, (await sellingSeller(app)).token)).body.code).toBe('payment.not_found')
})

test('race: whoever wins between a cancel and a confirmation, the money that came is booked once', async () => {
  const own = await sellingSeller(app)
  const payments = await Promise.all(Array.from({ length: 10 }, () => createPayment(app, own, { amount: 1_000 })))
  await Promise.all(
    payments.flatMap(({ id }) => {
      const { body, headers } = signedCallback(app, [paidNotification(id, 1_000)])
      return [cancel(id, own.token), app.api.post('/callbacks/sandbox', { body, headers })]
    }),
  )
  await app.services.providerEvents.idle()
  for (const { id } of payments) expect((await getPayment(app, own, id)).status).toBe('paid')
  expect((await balancesOf(app, own)).clearing).toBe(-10_000)
})

test('late: money for a canceled payment still counts', async () => {
  const { id } = await createPayment(app, seller)
  await cancel(id)
  await callBack(app, [paidNotification(id)])
  expect((await getPayment(app, seller, id)).status).toBe('paid')
})
