import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  callBack,
  chargeNotification,
  lastProviderEvent,
  paidNotification,
  signedCallback,
} from '../../support/callbacks.ts'
import type { Seller } from '../../support/factories.ts'
import { balancesOf, createPayment, eventsOf, getPayment, sellingSeller, setReserve } from '../../support/payments.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(() => app.close())

test('paid: a Pix of 100.00 at 0.99 % with 10 % reserve is booked to the centavo', async () => {
  const own = await sellingSeller(app)
  await setReserve(app, own, 1_000, 30)
  const { id } = await createPayment(app, own)
  const endToEndId = 'E00000000202611211305abcdefghijk'
  expect((await callBack(app, [paidNotification(id, 10_000, endToEndId)])).status).toBe(200)
  expect(await getPayment(app, own, id)).toMatchObject({
    status: 'paid',
    paidAmount: 10_000,
    feeAmount: 99,
    netAmount: 9_901,
    reserveAmount: 990,
    pix: { endToEndId },
  })
  expect(await balancesOf(app, own)).toMatchObject({
    available: 8_911,
    reserved: 990,
    pending: 0,
    fee_revenue: 99,
    clearing: -10_000,
  })
  const { rows } = await app.sql.query('select * from reserve_holds where seller_id = $1', [own.id])
  expect(rows).toMatchObject([{ payment_id: id, amount: '990', status: 'held' }])
  expect((await eventsOf(app, own)).map(({ type }) => type)).toEqual(['payment.created', 'payment.paid'])
  expect(await eventsOf(app, own, 'reserve.')).toMatchObject([{ type: 'reserve.held', data: { amount: 990 } }])
})

test('twice: the second confirmation changes nothing and stays visible', async () => {
  const own = await sellingSeller(app)
  const { id } = await createPayment(app, own)
  await callBack(app, [paidNotification(id)])
  await callBack(app, [paidNotification(id)])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'already_paid' })
  expect((await balancesOf(app, own)).clearing).toBe(-10_000)
})

test('twice: the very same callback is one event, counted', async () => {
  const { id } = await createPayment(app, seller)
  const { body, headers } = signedCallback(app, [paidNotification(id)])
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.api.post('/callbacks/sandbox', { body, headers })),
  )
  await app.services.providerEvents.idle()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'processed', times_received: 5, attempts: 1 })
})

test('twice: another payer of the same charge stays visible as paid_again', async () => {
  const { id } = await createPayment(app, seller)
  await callBack(app, [paidNotification(id, 10_000, 'E00000000202611211305aaaaaaaaaaa')])
  await callBack(app, [paidNotification(id, 10_000, 'E00000000202611211305bbbbbbbbbbb')])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'paid_again' })
})

test('more: a payer who pays more has paid, and the fee is taken of what came in', async () => {
  const { id } = await createPayment(app, seller)
  await callBack(app, [paidNotification(id, 20_000)])
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', paidAmount: 20_000, feeAmount: 198 })
})

test('less: a payer who pays less has not paid, and nothing is booked', async () => {
  const own = await sellingSeller(app)
  const { id } = await createPayment(app, own)
  await callBack(app, [paidNotification(id, 9_999)])
  const payment = await getPayment(app, own, id)
  expect(payment).toMatchObject({ status: 'pending', statusReason: 'underpaid', paidAmount: 9_999, netAmount: 0 })
  expect((await balancesOf(app, own)).clearing).toBe(0)
  await callBack(app, [paidNotification(id, 10_000)])
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'paid', statusReason: null, paidAmount: 10_000 })
})

test('unknown: a callback for a charge that is not ours is kept, retried and replayed', async () => {
  const missing = app.services.newId()
  await callBack(app, [paidNotification(missing)])
  const event = await lastProviderEvent(app)
  expect(event).toMatchObject({ status: 'unmatched', failure: 'reference_unknown', attempts: 1 })
  expect(event.next_attempt_at).toBeInstanceOf(Date)
})

test('early: a confirmation that overtakes our own transaction is matched by the next attempt', async () => {
  const own = await sellingSeller(app)
  const { id } = await createPayment(app, own)
  const reference = id.replaceAll('-', '')
  const { rows } = await app.sql.query('delete from provider_references where reference = $1 returning *', [reference])
  await callBack(app, [paidNotification(id)])
  expect((await getPayment(app, own, id)).status).toBe('pending')
  const { provider, kind, seller_id, resource_id } = rows[0]
  await app.sql.query('insert into provider_references values ($1, $2, $3, $4, $5)', [
    provider,
    kind,
    reference,
    seller_id,
    resource_id,
  ])
  await app.sql.query('update provider_events set next_attempt_at = received_at where status = $1', ['unmatched'])
  await app.services.jobs.processProviderEvents.runOnce()
  expect((await getPayment(app, own, id)).status).toBe('paid')
})

test.each(['expired', 'canceled'] as const)(
  'late: a confirmation still turns an %s payment into a paid one',
  async (status) => {
    const own = await sellingSeller(app)
    const { id } = await createPayment(app, own)
    await callBack(app, [chargeNotification(id, { status, reason: null })])
    expect((await getPayment(app, own, id)).status).toBe(status)
    await callBack(app, [paidNotification(id)])
    expect((await getPayment(app, own, id)).status).toBe('paid')
    expect((await balancesOf(app, own)).available).toBe(9_901)
  },
)

test('failed: a confirmation for a failed payment is ignored and visible', async () => {
  const { id } = await createPayment(app, seller)
  await callBack(app, [chargeNotification(id, { status: 'failed', reason: 'refused' })])
  await callBack(app, [paidNotification(id)])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'payment_failed' })
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'failed', statusReason: 'refused' })
})

test('any order: an expiry after the confirmation changes nothing', async () => {
  const { id } = await createPayment(app, seller)
  await callBack(app, [paidNotification(id), chargeNotification(id, { status: 'expired', reason: null })])
  expect((await getPayment(app, seller, id)).status).toBe('paid')
})

test('race: a hundred confirmations at once, each twice, book every payment once', async () => {
  const own = await sellingSeller(app)
  const payments = await Promise.all(Array.from({ length: 100 }, () => createPayment(app, own, { amount: 1_000 })))
  await Promise.all(
    [...payments, ...payments].map(async ({ id }) => {
      const { body, headers } = signedCallback(app, [paidNotification(id, 1_000)])
      return app.api.post('/callbacks/sandbox', { body, headers })
    }),
  )
  await app.services.providerEvents.idle()
  const { clearing, available, fee_revenue } = await balancesOf(app, own)
  expect({ clearing, available, fee_revenue }).toEqual({ clearing: -100_000, available: 99_000, fee_revenue: 1_000 })
  const paid = (await eventsOf(app, own)).filter(({ type }) => type === 'payment.paid')
  expect(new Set(paid.map(({ data }) => data.id)).size).toBe(100)
  expect(paid).toHaveLength(100)
})

test('401: a callback without its signature, or signed long ago, is refused and not kept', async () => {
  const { body, headers } = signedCallback(app, [paidNotification(app.services.newId())], Date.now() - 3_600_000)
  const before = await lastProviderEvent(app)
  const old = await app.api.post('/callbacks/sandbox', { body, headers })
  const bare = await app.api.post('/callbacks/sandbox', { body, headers: { 'content-type': 'application/json' } })
  expect([old.status, bare.status, bare.body.code]).toEqual([401, 401, 'callback.signature_invalid'])
  expect((await lastProviderEvent(app)).id).toBe(before.id)
})

test('404: a provider that this platform does not have cannot call back', async () => {
  const { status, body } = await app.api.post('/callbacks/nobody', { body: {} })
  expect([status, body.code]).toEqual([404, 'callback.provider_unknown'])
})
