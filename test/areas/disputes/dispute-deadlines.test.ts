import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import type { DisputeState } from '../../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { lastProviderEvent } from '../../support/callbacks.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { eventsOf, getPayment, sellingSeller } from '../../support/payments.ts'
import {
  bookOf,
  disputed,
  findings,
  hearRefund,
  paidCard,
  paidPix,
  refunded,
  reservingSeller,
  runJobs,
  tellDispute,
} from '../../support/refunds.ts'

const DAY_MS = 86_400_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const forward = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

const disputeOf = async ({ token }: Pick<Seller, 'token'>, paymentId: string) =>
  (await app.api.get(`disputes?paymentId=${paymentId}`, { token })).body.data[0]

const opening = (paymentId: string, amount = 10_000): DisputeState => ({
  status: 'open',
  type: 'med',
  chargeReference: paymentId.replaceAll('-', ''),
  amount: centavos(amount),
  reason: 'Fraud',
  respondBy: new Date(app.clock.now().getTime() + 7 * DAY_MS),
})

const pastTheDeadline = async () => {
  forward(7 * DAY_MS + 1)
  await runJobs(app, ['loseUnansweredDisputes'])
}

test.each([
  ['med', 7, paidPix],
  ['chargeback', 10, paidCard],
] as const)('a %s that nobody answers is lost after %i days, not before', async (type, days, paid) => {
  const own = await sellingSeller(app)
  const { id } = await paid(app, own)
  const { respondBy } = await disputed(app, own, id, { type })
  app.clock.setOffsetMs(Date.parse(respondBy) - Date.now() - 1_000)
  expect(await app.services.jobs.loseUnansweredDisputes.runOnce()).toBe(0)
  expect((await disputeOf(own, id)).status).toBe('open')
  forward(2_000)
  expect(await app.services.jobs.loseUnansweredDisputes.runOnce()).toBe(1)
  expect(await disputeOf(own, id)).toMatchObject({ status: 'lost', resolvedBy: 'deadline' })
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'charged_back', refundedAmount: 10_000 })
  expect((await eventsOf(app, own, 'dispute.')).map(({ type: told }) => told)).toEqual([
    'dispute.opened',
    'dispute.lost',
  ])
  expect(await app.services.jobs.loseUnansweredDisputes.runOnce()).toBe(0)
  expect(days).toBeGreaterThan(0)
})

test('an answered dispute waits for the provider, however long that takes', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const dispute = await disputed(app, own, id)
  const body = { text: 'Entregue.' }
  expect((await app.api.post(`disputes/${dispute.id}/defense`, { token: own.token, body })).status).toBe(200)
  forward(30 * DAY_MS)
  await runJobs(app, ['loseUnansweredDisputes'])
  expect((await disputeOf(own, id)).status).toBe('under_review')
})

test('many processes at once end a dispute once', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  await disputed(app, own, id)
  forward(8 * DAY_MS)
  const { loseUnansweredDisputes } = app.services.jobs
  const counts = await Promise.all(Array.from({ length: 8 }, () => loseUnansweredDisputes.runOnce()))
  expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
})

test('a refund on its way is waited for, and what it brings back is lost as well', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const refund = await refunded(app, own, id, 4_000)
  await disputed(app, own, id)
  await pastTheDeadline()
  expect((await disputeOf(own, id)).status).toBe('open')
  await hearRefund(app, own, refund.id, [{ status: 'failed', reason: 'account_closed' }])
  await runJobs(app, ['loseUnansweredDisputes'])
  expect(await disputeOf(own, id)).toMatchObject({ status: 'lost', blockedAmount: 10_000 })
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
})

test('the provider’s own loss confirms it, and after that nothing turns it', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await tellDispute(app, 'late-1', opening(id))
  await pastTheDeadline()
  await tellDispute(app, 'late-1', { status: 'lost' })
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'processed' })
  expect(await disputeOf(own, id)).toMatchObject({ status: 'lost', resolvedBy: 'provider' })
  await tellDispute(app, 'late-1', { status: 'won' })
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'contradicts_lost' })
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
})

test.each(['won', 'canceled'] as const)('a provider that says %s after all gets everything back', async (status) => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const before = await bookOf(app, own)
  await tellDispute(app, `late-${status}`, opening(id))
  await pastTheDeadline()
  await tellDispute(app, `late-${status}`, { status })
  expect(await disputeOf(own, id)).toMatchObject({ status, resolvedBy: 'provider' })
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'paid', refundedAmount: 0 })
  expect(await bookOf(app, own)).toEqual(before)
  const { rows } = await app.sql.query(
    'select status, amount::int, consumed_amount::int from reserve_holds where payment_id = $1 order by id',
    [id],
  )
  expect(rows).toEqual([
    { status: 'consumed', amount: 990, consumed_amount: 990 },
    { status: 'held', amount: 990, consumed_amount: 0 },
  ])
  forward(40 * DAY_MS)
  await runJobs(app, ['releaseReserves'])
  expect(await bookOf(app, own)).toEqual({ available: 9_901, clearing: -10_000, fee_revenue: 99 })
})

test('a card’s parts that still wait take their money back; what was due meanwhile is available', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidCard(app, own, { installments: 2 })
  const { netAmount } = await getPayment(app, own, id)
  await tellDispute(app, 'late-card', { ...opening(id), type: 'chargeback' } as DisputeState)
  await pastTheDeadline()
  forward(28 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  await tellDispute(app, 'late-card', { status: 'won' })
  const { available = 0, pending = 0 } = await bookOf(app, own)
  expect(available).toBeGreaterThan(0)
  expect(pending).toBeGreaterThan(0)
  forward(35 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  expect(await bookOf(app, own)).toEqual({ available: netAmount, clearing: -10_000, fee_revenue: 10_000 - netAmount })
})

test('a loss in part is undone while another claim on the same payment runs', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await tellDispute(app, 'part-1', opening(id, 1_000))
  await pastTheDeadline()
  expect((await getPayment(app, own, id)).status).toBe('partially_refunded')
  await tellDispute(app, 'part-2', opening(id, 2_000))
  await tellDispute(app, 'part-1', { status: 'won' })
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'in_dispute', refundedAmount: 0 })
  await tellDispute(app, 'part-2', { status: 'won' })
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'paid', refundedAmount: 0 })
  expect(await bookOf(app, own)).toEqual({ available: 9_901, clearing: -10_000, fee_revenue: 99 })
})

test('two days before the end its seller is reminded, once, and only of what is not answered', async () => {
  const own = await sellingSeller(app)
  const open = await disputed(app, own, (await paidPix(app, own)).id)
  const answered = await disputed(app, own, (await paidPix(app, own)).id)
  await app.api.post(`disputes/${answered.id}/defense`, { token: own.token, body: { text: 'Entregue.' } })
  const reminders = async () =>
    (await eventsOf(app, own, 'dispute.deadline')).map(({ data }) => (data as { id: string }).id)
  forward(4 * DAY_MS)
  await runJobs(app, ['remindOfDisputes'])
  expect(await reminders()).toEqual([])
  forward(1.5 * DAY_MS)
  const { remindOfDisputes } = app.services.jobs
  await Promise.all([remindOfDisputes.runOnce(), remindOfDisputes.runOnce(), remindOfDisputes.runOnce()])
  await runJobs(app, ['remindOfDisputes'])
  expect(await reminders()).toEqual([open.id])
})

test('what has to be answered soon can be asked for, by sellers and by administrators', async () => {
  const own = await sellingSeller(app)
  const soon = await disputed(app, own, (await paidPix(app, own)).id)
  forward(3 * DAY_MS)
  await disputed(app, own, (await paidPix(app, own)).id)
  const until = new Date(Date.parse(soon.respondBy) + 1_000).toISOString()
  const query = `status=open&respondBefore=${encodeURIComponent(until)}`
  const mine = (await app.api.get(`disputes?${query}`, { token: own.token })).body.data
  expect(mine.map(({ id }: { id: string }) => id)).toEqual([soon.id])
  const token = await adminToken(app)
  const all = (await app.api.get(`admin/disputes?${query}&sellerId=${own.id}`, { token })).body.data
  expect(all).toMatchObject([{ id: soon.id, sellerId: own.id, sellerEmail: own.email }])
  expect((await app.api.get('disputes?respondBefore=soon', { token: own.token })).status).toBe(400)
})
