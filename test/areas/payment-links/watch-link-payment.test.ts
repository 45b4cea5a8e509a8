import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPaymentWatch, type WatchLimits } from '../../../src/areas/payment-links/payment-watch.ts'
import { publicPaymentView } from '../../../src/areas/payment-links/public-links.view.ts'
import type { Payment } from '../../../src/areas/payments/payments.repository.ts'
import { paymentView } from '../../../src/areas/payments/payments.view.ts'
import { createSignal } from '../../../src/signal.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { card, linkPayment, openStream, payLink, sellerWithLink } from '../../support/payment-links.ts'
import { createPayment, pay } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const pathOf = (link: { hash: string }, id: string) => `payment-links/${link.hash}/payments/${id}/events`

const watched = async () => {
  const { seller, link } = await sellerWithLink(app, { successUrl: 'https://shop.example.com/ok' })
  const payment = await payLink(app, link)
  return { seller, link, payment, stream: await openStream(app, pathOf(link, payment.id)) }
}

test('200: the payment as it is now, then as it turns out, and then the end', async () => {
  const { seller, link, payment, stream } = await watched()
  expect(stream.headers['content-type']).toBe('text/event-stream')
  expect(stream.headers['cache-control']).toBe('no-store')
  await until('the first event is there', () => stream.events.length === 1)
  expect(stream.events[0]).toEqual({ name: 'payment', data: payment })
  await pay(app, seller, payment.id)
  expect(await stream.isOver).toBe('ended')
  expect(stream.statuses()).toEqual(['pending', 'paid'])
  expect(stream.events[1]?.data).toStrictEqual((await linkPayment(app, link, payment.id)).body)
})

test('200: what is final already is told once', async () => {
  const { link } = await sellerWithLink(app)
  for (const [token, status] of [
    ['tok_0001', 'paid'],
    ['tok_0002', 'failed'],
  ] as const) {
    const { id } = await payLink(app, link, card(token))
    const stream = await openStream(app, pathOf(link, id))
    expect(await stream.isOver).toBe('ended')
    expect(stream.statuses()).toEqual([status])
  }
})

test('200: a change that another process made is seen too', async () => {
  const { payment, stream } = await watched()
  await until('the first event is there', () => stream.events.length === 1)
  await app.sql.query(`update payments set status = 'canceled' where id = $1`, [payment.id])
  expect(await stream.isOver).toBe('ended')
  expect(stream.statuses()).toEqual(['pending', 'canceled'])
})

test('404: a payment of another link cannot be watched', async () => {
  const { seller, link } = await sellerWithLink(app)
  const { id } = await createPayment(app, seller)
  const { status, body } = await app.api.get(pathOf(link, id))
  expect([status, body.code]).toEqual([404, 'payment.not_found'])
  const missing = await app.api.get(pathOf({ hash: 'nothing' }, id))
  expect([missing.status, missing.body.code]).toEqual([404, 'payment_link.not_found'])
  expect((await app.api.get(pathOf(link, 'nothing'))).status).toBe(400)
})

const rowsOf = async (count: number): Promise<Payment[]> => {
  const { seller, link } = await sellerWithLink(app)
  const payments = await Promise.all(Array.from({ length: count }, () => payLink(app, link)))
  return app.services.read.payments.listByKeys(payments.map(({ id }) => ({ sellerId: seller.id, id })))
}

/** A watch of its own, which notes how many payments each of its queries asks for. */
const notingWatch = (limits?: WatchLimits) => {
  const asked: number[] = []
  const { payments } = app.services.read
  const listByKeys: typeof payments.listByKeys = (keys) => {
    asked.push(keys.length)
    return payments.listByKeys(keys)
  }
  const read = { payments: { ...payments, listByKeys } }
  const logger = pino({ level: 'silent' })
  const watch = createPaymentWatch({ read, eventSignal: createSignal(), logger, ...(limits ? { limits } : {}) })
  const open = (row: Payment, address = '192.0.2.1') =>
    watch.watch(row, { address, view: (seen) => publicPaymentView(paymentView(seen), null) })
  return { watch, open, asked }
}

test('however many watch, one query asks for all of them, and no longer for those who have gone', async () => {
  const rows = await rowsOf(8)
  const { watch, open, asked } = notingWatch()
  const watching = [...rows, ...rows].map((row) => open(row))
  await until('some rounds have passed', () => asked.length >= 3)
  expect(new Set(asked)).toEqual(new Set([8]))
  for (const { stop } of watching.slice(1)) stop()
  await until('only the last one is asked for', () => asked.at(-1) === 1)
  watch.close()
})

test('429, 503: streams are bounded, by address and in all, and a place is free again once one has ended', async () => {
  const [row] = await rowsOf(1)
  if (row === undefined) throw new Error('no payment was made')
  const { watch, open } = notingWatch({ total: 3, perAddress: 2 })
  const first = open(row, '192.0.2.1')
  open(row, '192.0.2.1')
  expect(() => open(row, '192.0.2.1')).toThrow(expect.objectContaining({ code: 'server.too_many_requests' }))
  open(row, '192.0.2.2')
  expect(() => open(row, '192.0.2.3')).toThrow(expect.objectContaining({ code: 'server.unavailable' }))
  first.stop()
  first.stop()
  expect(() => open(row, '192.0.2.3')).not.toThrow()
  watch.close()
  expect(() => [open(row, '192.0.2.1'), open(row, '192.0.2.1')]).not.toThrow()
  watch.close()
})

test('429: over HTTP too, with the time after which to try again', async () => {
  const { link, payment } = await watched()
  const streams = await Promise.all(Array.from({ length: 40 }, () => openStream(app, pathOf(link, payment.id))))
  const refused = streams.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.headers['retry-after']).toBe('5')
  for (const { close } of streams) close()
})

test('a server that is told to stop lets its watchers go, and closes', async () => {
  const other = await startTestApp()
  const { link } = await sellerWithLink(other)
  const { id } = await payLink(other, link)
  const stream = await openStream(other, pathOf(link, id))
  await until('the first event is there', () => stream.events.length === 1)
  await other.close()
  expect(await stream.isOver).toBe('ended')
  expect(stream.statuses()).toEqual(['pending'])
})
