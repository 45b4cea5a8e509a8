import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { linkOf, linkPayment, payLink, postLinkPayment, sellerWithLink } from '../../support/payment-links.ts'
import { balancesOf, getPayment, pay, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const remove = (token: string | undefined, id: string) => app.api.delete(`payment-links/${id}`, { token })

test('204: payers are told that it is gone, and its seller can still find it', async () => {
  const { seller, link } = await sellerWithLink(app)
  const { status, text } = await remove(seller.token, link.id)
  expect([status, text]).toEqual([204, ''])
  const refused = await postLinkPayment(app, link)
  expect([refused.status, refused.body.code]).toEqual([410, 'payment_link.deleted'])
  expect((await linkOf(app, seller, link.id)).status).toBe('deleted')
})

test('204: a payment that was begun is still paid, seen by its payer and counted', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 1 })
  const { id } = await payLink(app, link)
  await remove(seller.token, link.id)
  await pay(app, seller, id)
  await until('it is paid', async () => (await getPayment(app, seller, id)).status === 'paid')
  expect((await linkPayment(app, link, id)).body.status).toBe('paid')
  expect(await linkOf(app, seller, link.id)).toMatchObject({
    status: 'deleted',
    paymentsCount: 1,
    paidAmount: 10_000,
  })
  expect((await balancesOf(app, seller)).available).toBeGreaterThan(0)
})

test('404: of another seller, deleted before or missing: all look the same', async () => {
  const { seller, link } = await sellerWithLink(app)
  const stranger = await sellingSeller(app)
  const foreign = await remove(stranger.token, link.id)
  expect((await remove(seller.token, link.id)).status).toBe(204)
  const again = await remove(seller.token, link.id)
  const missing = await remove(seller.token, app.services.newId())
  for (const { status, body } of [foreign, again, missing]) {
    expect([status, body.code]).toEqual([404, 'payment_link.not_found'])
  }
})

test('400, 401: an id that is none, and nobody', async () => {
  const { seller, link } = await sellerWithLink(app)
  expect((await remove(seller.token, link.hash)).status).toBe(400)
  expect((await remove(undefined, link.id)).status).toBe(401)
})

test('the links of a seller end with their account', async () => {
  const { seller, link } = await sellerWithLink(app)
  const { status } = await app.api.delete(`users/${seller.id}`, { token: seller.token })
  expect(status).toBe(204)
  expect((await postLinkPayment(app, link)).body.code).toBe('payment_link.deleted')
})
