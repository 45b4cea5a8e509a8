import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createLink, linkOf, payLink, postLinkPayment, putLink, sellerWithLink } from '../../support/payment-links.ts'
import { eventsOf, getPayment, pay, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR_MS).toISOString()

const paid = async (seller: { token: string }, id: string) => {
  await pay(app, seller, id)
  await until('it is paid', async () => (await getPayment(app, seller, id)).status === 'paid')
}

test('200: every field is replaced, and what is left out is taken away', async () => {
  const { seller, link } = await sellerWithLink(app, { description: 'Velha', externalReference: 'a', maxPayments: 9 })
  const body = { title: 'Nova', amount: 20_000, methods: ['pix'], successUrl: 'https://shop.example.com/ok' }
  const { status, body: answered } = await app.api.put(`payment-links/${link.id}`, { token: seller.token, body })
  expect(status).toBe(200)
  const changed = { ...body, description: null, externalReference: null, maxPayments: null }
  expect(answered).toStrictEqual({ ...link, ...changed, updatedAt: answered.updatedAt })
  expect(await linkOf(app, seller, link.id)).toStrictEqual(answered)
})

test('200: payments that exist keep their amount; only new ones have the new one', async () => {
  const { seller, link } = await sellerWithLink(app)
  const before = await payLink(app, link)
  await putLink(app, seller, link, { amount: 20_000 })
  expect((await getPayment(app, seller, before.id)).amount).toBe(10_000)
  expect((await payLink(app, link)).amount).toBe(20_000)
})

test('409: who saw the old amount is not charged the new one', async () => {
  const { seller, link } = await sellerWithLink(app)
  await putLink(app, seller, link, { amount: 20_000 })
  const { status, body } = await postLinkPayment(app, link, { amount: 10_000 })
  expect([status, body.code]).toEqual([409, 'payment_link.amount_changed'])
})

test('200: a link is switched off and on again', async () => {
  const { seller, link } = await sellerWithLink(app)
  expect((await putLink(app, seller, link, { status: 'inactive' })).body.status).toBe('inactive')
  expect((await postLinkPayment(app, link)).body.code).toBe('payment_link.inactive')
  expect((await putLink(app, seller, link, {})).body.status).toBe('inactive')
  expect((await putLink(app, seller, link, { status: 'active' })).body.status).toBe('active')
  expect((await postLinkPayment(app, link)).status).toBe(201)
})

test('422: a limit does not go below what is paid or may still be', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 5 })
  await paid(seller, (await payLink(app, link)).id)
  await payLink(app, link)
  const low = await putLink(app, seller, link, { maxPayments: 1 })
  expect([low.status, low.body.code]).toEqual([422, 'payment_link.limit_too_low'])
  expect((await putLink(app, seller, link, { maxPayments: 2 })).status).toBe(200)
  expect((await postLinkPayment(app, link)).body.code).toBe('payment_link.slots_taken')
})

test('200: a limit that comes later counts what was there before it', async () => {
  const { seller, link } = await sellerWithLink(app)
  await paid(seller, (await payLink(app, link)).id)
  await payLink(app, link)
  expect((await putLink(app, seller, link, { maxPayments: 1 })).body.code).toBe('payment_link.limit_too_low')
  expect((await putLink(app, seller, link, { maxPayments: 3 })).status).toBe(200)
  expect((await postLinkPayment(app, link)).status).toBe(201)
  expect((await postLinkPayment(app, link)).body.code).toBe('payment_link.slots_taken')
  expect((await putLink(app, seller, link, { maxPayments: null })).status).toBe(200)
  expect((await postLinkPayment(app, link)).status).toBe(201)
})

test('200: a limit that is reached already completes the link, and a higher one takes it back', async () => {
  const { seller, link } = await sellerWithLink(app)
  await paid(seller, (await payLink(app, link)).id)
  expect((await putLink(app, seller, link, { maxPayments: 1 })).body).toMatchObject({
    status: 'completed',
    paymentsCount: 1,
  })
  expect((await eventsOf(app, seller, 'payment_link.')).map(({ type }) => type)).toEqual(['payment_link.completed'])
  expect((await postLinkPayment(app, link)).body.code).toBe('payment_link.completed')
  expect((await putLink(app, seller, link, { maxPayments: 2 })).body.status).toBe('active')
})

test('200: an expired link keeps its time through an edit, and goes on with a new one', async () => {
  const seller = await sellingSeller(app)
  const link = await createLink(app, seller, { expiresAt: inHours(1) })
  app.clock.setOffsetMs(2 * HOUR_MS)
  expect((await putLink(app, seller, link, { title: 'Nova' })).body).toMatchObject({ title: 'Nova', status: 'expired' })
  const past = await putLink(app, seller, link, { expiresAt: inHours(-0.5) })
  expect([past.status, past.body.errors[0].path]).toEqual([400, 'expiresAt'])
  expect((await putLink(app, seller, link, { expiresAt: inHours(1) })).body.status).toBe('active')
})

test.each([
  ['title', { title: '' }],
  ['minAmount', { minAmount: 5 }],
  ['successUrl', { successUrl: 'http://example.com' }],
  ['status', { status: 'deleted' }],
  ['hash', { hash: 'mine' }],
])('400: %s is refused', async (path, fields) => {
  const { seller, link } = await sellerWithLink(app)
  const { status, body } = await putLink(app, seller, link, fields)
  expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toEqual([400, [path]])
})

test('404: of another seller, deleted or missing: all look the same', async () => {
  const { seller, link } = await sellerWithLink(app)
  const stranger = await sellingSeller(app)
  const foreign = await putLink(app, stranger, link, {})
  await app.api.delete(`payment-links/${link.id}`, { token: seller.token })
  const deleted = await putLink(app, seller, link, {})
  const missing = await putLink(app, seller, { ...link, id: app.services.newId() }, {})
  for (const { status, body } of [foreign, deleted, missing]) {
    expect([status, body.code]).toEqual([404, 'payment_link.not_found'])
  }
})

test('401: nobody replaces a link without a token', async () => {
  const { link } = await sellerWithLink(app)
  expect((await app.api.put(`payment-links/${link.id}`, { body: { title: 'x' } })).status).toBe(401)
})
