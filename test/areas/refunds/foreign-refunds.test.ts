import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import type { Notification, RefundState } from '../../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { callBack, lastProviderEvent, paidNotification } from '../../support/callbacks.ts'
import type { Seller } from '../../support/factories.ts'
import { createPayment, eventsOf, getPayment, sellingSeller } from '../../support/payments.ts'
import {
  bookOf,
  disputed,
  findings,
  paidBoleto,
  paidCard,
  paidPix,
  refunded,
  refundsOf,
  reservingSeller,
  resolve,
  runJobs,
} from '../../support/refunds.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const COMPLETED: RefundState = { status: 'completed' }

const begun = (reference: string, paymentId: string, amount: number, state: RefundState = COMPLETED): Notification => ({
  kind: 'refund',
  reference,
  state,
  begun: { chargeReference: paymentId.replaceAll('-', ''), amount: centavos(amount), reason: 'operator' },
})

const send = (own: Pick<Seller, 'token'>, paymentId: string, body?: { amount: number }) =>
  app.api.post(`sandbox/payments/${paymentId}/refund`, { token: own.token, ...(body ? { body } : {}) })

const retryCallbacks = async () => {
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * 3_600_000)
  await runJobs(app, ['processProviderEvents'])
}

test('202: what the acquirer sends back by itself is booked, told and marked as its own', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  expect((await send(own, id, { amount: 4_000 })).status).toBe(202)
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 4_000 })
  expect(await refundsOf(app, own, id)).toMatchObject([
    { amount: 4_000, status: 'completed', origin: 'provider', reason: 'acquirer_refund' },
  ])
  // The payment's own reserve first, then what is available.
  expect(await bookOf(app, own)).toEqual({ available: 5_901, clearing: -6_000, fee_revenue: 99 })
  expect((await eventsOf(app, own, 'refund.')).map(({ type, data }) => [type, data.origin])).toEqual([
    ['refund.completed', 'provider'],
  ])
  await send(own, id, { amount: 6_000 })
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'refunded', refundedAmount: 10_000 })
  expect((await eventsOf(app, own)).at(-1)?.type).toBe('payment.refunded')
})

test('the same refund told often, together and at once, is booked once', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const notification = begun('twice', id, 3_000)
  await Promise.all([
    callBack(app, [notification, notification]),
    callBack(app, [notification]),
    callBack(app, [notification]),
  ])
  await callBack(app, [notification])
  expect(await refundsOf(app, own, id)).toHaveLength(1)
  expect((await bookOf(app, own)).clearing).toBe(-7_000)
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'no_change' })
})

test('a card’s waiting parts give it first, the latest first; a boleto can go back this way as well', async () => {
  const own = await sellingSeller(app)
  const card = await paidCard(app, own)
  await send(own, card.id, { amount: 2_000 })
  const parts = await app.services.read.settlements.listByPayment(own.id, card.id)
  expect(parts.map(({ canceledAmount }) => canceledAmount)).toEqual([0, 0, 2_000])
  const boleto = await paidBoleto(app, own)
  await send(own, boleto.id)
  expect((await getPayment(app, own, boleto.id)).status).toBe('refunded')
})

test('money that the seller no longer has is owed, and the transfer says that it was forced', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await send(own, id)
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
  const { rows } = await app.sql.query(
    "select forced from ledger_transfers where seller_id = $1 and kind = 'refund_requested'",
    [own.id],
  )
  expect(rows).toEqual([{ forced: true }])
})

test('only a completed one is booked: what we never asked for holds nothing before', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  for (const state of [{ status: 'processing' }, { status: 'failed', reason: null }] as RefundState[]) {
    await callBack(app, [begun('slow', id, 1_000, state)])
    expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'not_completed' })
  }
  await callBack(app, [begun('slow', id, 1_000)])
  await callBack(app, [begun('slow', id, 1_000, { status: 'failed', reason: null })])
  expect(await lastProviderEvent(app)).toMatchObject({ failure: 'contradicts_completed' })
  expect(await refundsOf(app, own, id)).toMatchObject([{ status: 'completed' }])
})

test('one that overtakes the confirmation of its payment waits for it', async () => {
  const own = await sellingSeller(app)
  const { id } = await createPayment(app, own)
  await callBack(app, [begun('early', id, 2_500)])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'payment_pending' })
  await callBack(app, [paidNotification(id)])
  await retryCallbacks()
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 2_500 })
})

test('one during a dispute waits for its end, however long that takes', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const dispute = await disputed(app, own, id, { type: 'med', amount: 3_000 })
  await callBack(app, [begun('meanwhile', id, 2_000)])
  const { id: eventId } = await lastProviderEvent(app)
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'payment_in_dispute' })
  app.clock.setOffsetMs(app.clock.offsetMs() + 3 * 86_400_000)
  await runJobs(app, ['processProviderEvents'])
  const { rows } = await app.sql.query('select next_attempt_at from provider_events where id = $1', [eventId])
  expect(rows[0].next_attempt_at).toBeInstanceOf(Date)
  await resolve(app, own, dispute.id, 'lost')
  await retryCallbacks()
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 5_000 })
})

test('a callback about a refund of ours that overtakes its own answer is not taken for another one', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const ours = await refunded(app, own, id, 2_000)
  const notification = begun(ours.id.replaceAll('-', ''), id, 2_000)
  await callBack(app, [notification])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'refund_in_flight' })
  await runJobs(app, ['sendRefunds'])
  await retryCallbacks()
  expect(await refundsOf(app, own, id)).toMatchObject([{ id: ours.id, status: 'completed', origin: 'seller' }])
  expect((await bookOf(app, own)).clearing).toBe(-8_000)
})

test('a refund that the provider refused, and did after all, is booked as the provider’s own', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const ours = await refunded(app, own, id, 2_092)
  await runJobs(app, ['sendRefunds'])
  expect(await refundsOf(app, own, id)).toMatchObject([{ status: 'failed' }])
  await callBack(app, [begun(ours.id.replaceAll('-', ''), id, 2_092)])
  expect(await refundsOf(app, own, id)).toMatchObject([{ origin: 'provider', amount: 2_092 }, { status: 'failed' }])
  expect((await bookOf(app, own)).clearing).toBe(-7_908)
})

test('more than is left is nobody’s to book: it is ignored, visible and logged', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await callBack(app, [begun('too-much', id, 10_001)])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'amount_exceeds_payment' })
  await send(own, id)
  await callBack(app, [begun('after-all', id, 1)])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'payment_refunded' })
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
})

test('race: the seller’s refund and the acquirer’s of the same payment never return more than was paid', {
  timeout: 60_000,
}, async () => {
  for (let round = 0; round < 5; round += 1) {
    const own = await sellingSeller(app)
    const { id } = await paidPix(app, own)
    await Promise.all([
      refunded(app, own, id, 6_000).catch(() => undefined),
      callBack(app, [begun(`race-${round}`, id, 7_000)]),
    ])
    await runJobs(app, ['sendRefunds'])
    await retryCallbacks()
    const all: { amount: number }[] = await refundsOf(app, own, id)
    expect(all).toHaveLength(1)
    expect((await getPayment(app, own, id)).refundedAmount).toBe(all[0]?.amount)
  }
})

test('400, 401, 403 and 404: only the seller drives the acquirer', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  expect((await send(own, id, { amount: 0 })).status).toBe(400)
  expect((await app.api.post(`sandbox/payments/${id}/refund`)).status).toBe(401)
  expect((await send(await sellingSeller(app), id)).body.code).toBe('payment.not_found')
})
