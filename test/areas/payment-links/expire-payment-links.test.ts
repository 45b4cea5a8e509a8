import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createLink, linkOf, payLink, postLinkPayment, putLink } from '../../support/payment-links.ts'
import { eventsOf, getPayment, pay, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inAnHour = () => new Date(app.clock.now().getTime() + HOUR_MS).toISOString()
const passAnHour = () => app.clock.setOffsetMs(app.clock.offsetMs() + HOUR_MS)
const runJob = () => app.services.jobs.expirePaymentLinks.runOnce()

test('a link takes nothing from its instant on, and its seller is told once', async () => {
  const seller = await sellingSeller(app)
  const expiresAt = inAnHour()
  const link = await createLink(app, seller, { expiresAt })
  const off = await createLink(app, seller, { expiresAt })
  await putLink(app, seller, off, { status: 'inactive' })
  const lasting = await createLink(app, seller)
  expect(await runJob()).toBe(0)
  passAnHour()
  const refused = await postLinkPayment(app, link)
  expect([refused.status, refused.body.code]).toEqual([409, 'payment_link.expired'])
  expect(await runJob()).toBe(2)
  expect(await runJob()).toBe(0)
  const events = await eventsOf(app, seller, 'payment_link.')
  expect(events.map(({ type, data }) => [type, data.id, data.status])).toEqual([
    ['payment_link.expired', link.id, 'expired'],
    ['payment_link.expired', off.id, 'expired'],
  ])
  expect(events[0]?.data).toStrictEqual(await linkOf(app, seller, link.id))
  expect((await linkOf(app, seller, lasting.id)).status).toBe('active')
})

test('a payment that was begun in time is still paid and counted, and may complete the link', async () => {
  const seller = await sellingSeller(app)
  const link = await createLink(app, seller, { expiresAt: inAnHour(), maxPayments: 1 })
  const { id } = await payLink(app, link, { method: 'boleto', customer: { name: 'Ana', document: '52998224725' } })
  passAnHour()
  await runJob()
  await pay(app, seller, id)
  await until('it is paid', async () => (await getPayment(app, seller, id)).status === 'paid')
  expect(await linkOf(app, seller, link.id)).toMatchObject({ status: 'completed', paymentsCount: 1 })
  expect((await eventsOf(app, seller, 'payment_link.')).map(({ type }) => type)).toEqual([
    'payment_link.expired',
    'payment_link.completed',
  ])
})

test('the clock of the sandbox moves links too', async () => {
  const seller = await sellingSeller(app)
  const link = await createLink(app, seller, { expiresAt: inAnHour() })
  const { body } = await app.api.post('auth/login', { body: app.config.admin })
  await app.api.post('sandbox/clock/advance', { token: body.tokens.accessToken, body: { hours: 2 } })
  expect((await eventsOf(app, seller, 'payment_link.')).map(({ data }) => data.id)).toEqual([link.id])
})
