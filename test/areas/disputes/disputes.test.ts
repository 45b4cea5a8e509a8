import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import type { DisputeState, RefundState } from '../../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { callBack, lastProviderEvent } from '../../support/callbacks.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, eventsOf, getPayment, sellingSeller } from '../../support/payments.ts'
import {
  bookOf,
  disputed,
  disputeNotification,
  findings,
  hearRefund,
  paidCard,
  paidPix,
  permutations,
  postRefund,
  refunded,
  reservingSeller,
  resolve,
  runJobs,
  tellDispute,
} from '../../support/refunds.ts'

const DAY_MS = 86_400_000
const FAILED: RefundState = { status: 'failed', reason: 'account_closed' }

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const forward = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

const getDispute = (id: string, token = seller.token) => app.api.get(`disputes/${id}`, { token })

const retryCallbacks = async () => {
  forward(2 * 3_600_000)
  await app.services.jobs.processProviderEvents.runOnce()
}

const opening = (paymentId: string, amount = 10_000): DisputeState => ({
  status: 'open',
  type: 'med',
  chargeReference: paymentId.replaceAll('-', ''),
  amount: centavos(amount),
  reason: 'Fraud',
  respondBy: new Date(app.clock.now().getTime() + 7 * DAY_MS),
})

test('opened: the own reserve is frozen, the rest is blocked, and both are told', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const dispute = await disputed(app, own, id)
  expect(dispute).toMatchObject({
    paymentId: id,
    type: 'med',
    status: 'open',
    amount: 10_000,
    frozenReserveAmount: 990,
    blockedAmount: 9_010,
    defense: null,
    resolvedAt: null,
  })
  const days = (Date.parse(dispute.respondBy) - Date.parse(dispute.createdAt)) / DAY_MS
  expect(Math.round(days)).toBe(7)
  // The seller owes the fee's share of the gross: available is below zero.
  expect(await bookOf(app, own)).toEqual({
    available: -99,
    reserved: 990,
    blocked: 9_010,
    clearing: -10_000,
    fee_revenue: 99,
  })
  expect((await getPayment(app, own, id)).status).toBe('in_dispute')
  expect((await eventsOf(app, own)).at(-1)).toMatchObject({ type: 'payment.disputed', data: { status: 'in_dispute' } })
  expect(await eventsOf(app, own, 'dispute.')).toMatchObject([
    { type: 'dispute.opened', data: { blockedAmount: 9_010 } },
  ])
})

test('opened: time does not release the frozen reserve, and a won dispute lets it', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const { id: disputeId } = await disputed(app, own, id)
  forward(31 * DAY_MS)
  await runJobs(app, ['releaseReserves'])
  expect((await bookOf(app, own)).reserved).toBe(990)
  await resolve(app, own, disputeId, 'won')
  await runJobs(app, ['releaseReserves'])
  expect(await bookOf(app, own)).toEqual({ available: 9_901, clearing: -10_000, fee_revenue: 99 })
  expect((await getPayment(app, own, id)).status).toBe('paid')
  expect((await eventsOf(app, own, 'dispute.')).map(({ type }) => type)).toEqual(['dispute.opened', 'dispute.won'])
})

test('lost: the money goes to the payer and the payment is charged back', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const { id: disputeId } = await disputed(app, own, id)
  expect((await resolve(app, own, disputeId, 'lost')).status).toBe(202)
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'charged_back', refundedAmount: 10_000 })
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
  expect((await eventsOf(app, own)).at(-1)?.type).toBe('payment.charged_back')
  expect((await getDispute(disputeId, own.token)).body).toMatchObject({
    status: 'lost',
    resolvedAt: expect.any(String),
  })
})

test('lost in part: the rest of the frozen hold is held on, and the payment is partially refunded', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const dispute = await disputed(app, own, id, { type: 'med', amount: 600 })
  expect(dispute).toMatchObject({ frozenReserveAmount: 600, blockedAmount: 0 })
  await resolve(app, own, dispute.id, 'lost')
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 600 })
  expect(await bookOf(app, own)).toEqual({ available: 8_911, reserved: 390, clearing: -9_400, fee_revenue: 99 })
  const { rows } = await app.sql.query('select status from reserve_holds where payment_id = $1', [id])
  expect(rows).toEqual([{ status: 'held' }])
  expect((await postRefund(app, own, id, { amount: 9_401 })).body.code).toBe('refund.amount_exceeds_payment')
})

test('a card: waiting parts are blocked and not settled; what was due meanwhile is available when it is won', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidCard(app, own, { installments: 2 })
  const { netAmount } = await getPayment(app, own, id)
  const dispute = await disputed(app, own, id, { type: 'chargeback' })
  expect(await bookOf(app, own)).toMatchObject({ blocked: 10_000, available: netAmount - 10_000 })
  forward(35 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  expect(await bookOf(app, own)).toMatchObject({ blocked: 10_000, available: netAmount - 10_000 })
  await resolve(app, own, dispute.id, 'won')
  const { available = 0, pending = 0 } = await bookOf(app, own)
  expect(available + pending).toBe(netAmount)
  expect(pending).toBeGreaterThan(0)
  forward(35 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  expect(await bookOf(app, own)).toEqual({ available: netAmount, clearing: -10_000, fee_revenue: 10_000 - netAmount })
})

test('canceled: a claim that is withdrawn ends as a won one', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const before = await bookOf(app, own)
  await tellDispute(app, 'claim-1', opening(id))
  await tellDispute(app, 'claim-1', { status: 'canceled' })
  expect((await getPayment(app, own, id)).status).toBe('paid')
  expect(await bookOf(app, own)).toEqual(before)
  expect((await app.api.get(`disputes?paymentId=${id}`, { token: own.token })).body.data).toMatchObject([
    { status: 'canceled' },
  ])
})

test('twice: openings and verdicts that come again change nothing', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await tellDispute(app, 'claim-2', opening(id))
  await tellDispute(app, 'claim-2', opening(id))
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'no_change' })
  await tellDispute(app, 'claim-2', { status: 'lost' })
  const end = await bookOf(app, own)
  await callBack(app, [disputeNotification('claim-2', opening(id)), disputeNotification('claim-2', { status: 'lost' })])
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'no_change' })
  await tellDispute(app, 'claim-2', { status: 'won' })
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'contradicts_lost' })
  expect(await bookOf(app, own)).toEqual(end)
})

type Step = 'refund' | 'open' | 'verdict'

/** Where a payment ends of which a refund was on its way when its payer disputed it. */
const endOf = async (steps: readonly Step[], outcome: RefundState, verdict: 'lost' | 'won'): Promise<string> => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const refund = await refunded(app, own, id, 3_000)
  const reference = `claim-${refund.id}`
  const take: Record<Step, () => Promise<unknown>> = {
    refund: () => hearRefund(app, own, refund.id, [outcome]),
    open: () => tellDispute(app, reference, opening(id)),
    verdict: () => tellDispute(app, reference, { status: verdict }),
  }
  for (const step of steps) await take[step]()
  await retryCallbacks()
  const { status, refundedAmount } = await getPayment(app, own, id)
  return JSON.stringify({ status, refundedAmount, book: await bookOf(app, own) })
}

const COMPLETED: RefundState = { status: 'completed' }

test.each([
  ['completed', 'lost', COMPLETED, 'charged_back'],
  ['completed', 'won', COMPLETED, 'partially_refunded'],
  ['failed', 'lost', FAILED, 'charged_back'],
  ['failed', 'won', FAILED, 'paid'],
] as const)(
  'any order: a refund that %s and a dispute that was %s end the same',
  { timeout: 60_000 },
  async (_, verdict, outcome, status) => {
    const ends = new Set<string>()
    for (const steps of permutations<Step>(['refund', 'open', 'verdict']))
      ends.add(await endOf(steps, outcome, verdict))
    expect([...ends]).toEqual([expect.stringContaining(`"status":"${status}"`)])
  },
)

test('money that a failed refund brings back during a dispute is claimed too', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const refund = await refunded(app, own, id, 3_000)
  const dispute = await disputed(app, own, id)
  expect(dispute.blockedAmount + dispute.frozenReserveAmount).toBe(7_000)
  await resolve(app, own, dispute.id, 'lost')
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'refund_in_flight' })
  await hearRefund(app, own, refund.id, [FAILED])
  const { body } = await getDispute(dispute.id, own.token)
  expect(body.blockedAmount + body.frozenReserveAmount).toBe(10_000)
  await retryCallbacks()
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'charged_back', refundedAmount: 10_000 })
  expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
})

test('a refund that completes during a dispute counts, and the payment is refunded when it is won', async () => {
  const own = await sellingSeller(app)
  await paidPix(app, own)
  const { id } = await paidPix(app, own)
  const refund = await refunded(app, own, id)
  const dispute = await disputed(app, own, id)
  expect(dispute).toMatchObject({ blockedAmount: 0, frozenReserveAmount: 0 })
  await hearRefund(app, own, refund.id, [{ status: 'completed' }])
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'in_dispute', refundedAmount: 10_000 })
  await resolve(app, own, dispute.id, 'won')
  expect((await getPayment(app, own, id)).status).toBe('refunded')
})

test('a claim on a payment that is not paid waits for it; on a refunded one it is ignored and visible', async () => {
  const own = await sellingSeller(app)
  await paidPix(app, own)
  const pending = await createPayment(app, own)
  await tellDispute(app, 'claim-3', opening(pending.id))
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'payment_pending' })
  const { id } = await paidPix(app, own)
  await refunded(app, own, id)
  await runJobs(app, ['sendRefunds'])
  await tellDispute(app, 'claim-4', opening(id))
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'ignored', failure: 'payment_refunded' })
})

test('a second claim on a payment in dispute waits until the first has ended', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  await tellDispute(app, 'claim-5', opening(id, 1_000))
  await tellDispute(app, 'claim-6', opening(id, 2_000))
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'unmatched', failure: 'payment_in_dispute' })
  await tellDispute(app, 'claim-5', { status: 'won' })
  await retryCallbacks()
  const { body } = await app.api.get(`disputes?paymentId=${id}&status=open`, { token: own.token })
  expect(body.data).toMatchObject([{ amount: 2_000, blockedAmount: 2_000 }])
})

test('race: refunds and a dispute at once never give the same centavo twice', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const own = await reservingSeller(app)
    const { id } = await paidPix(app, own)
    await Promise.all([
      postRefund(app, own, id, { amount: 4_000 }),
      disputed(app, own, id),
      postRefund(app, own, id, { amount: 3_000 }),
    ])
    const { body } = await app.api.get(`disputes?paymentId=${id}`, { token: own.token })
    const { rows } = await app.sql.query('select sum(amount)::int as total from refunds where payment_id = $1', [id])
    const [dispute] = body.data
    expect(dispute.blockedAmount + dispute.frozenReserveAmount + (rows[0].total ?? 0)).toBe(10_000)
    await runJobs(app, ['sendRefunds'])
    await resolve(app, own, dispute.id, 'lost')
    expect(await bookOf(app, own)).toEqual({ available: -99, fee_revenue: 99 })
  }
})

test('200: disputes are listed newest first, by status and by payment', async () => {
  const own = await sellingSeller(app)
  const first = await disputed(app, own, (await paidPix(app, own)).id)
  const second = await disputed(app, own, (await paidPix(app, own)).id)
  await resolve(app, own, first.id, 'won')
  const ids = async (query: string) =>
    (await app.api.get(`disputes${query}`, { token: own.token })).body.data.map((row: { id: string }) => row.id)
  expect(await ids('')).toEqual([second.id, first.id])
  expect(await ids('?status=won')).toEqual([first.id])
  expect(await ids('?status=open&status=under_review')).toEqual([second.id])
  expect(await ids(`?paymentId=${first.paymentId}`)).toEqual([first.id])
  expect((await app.api.get('disputes?status=new', { token: own.token })).status).toBe(400)
})

test('401, 403 and 404: disputes are their seller’s alone', async () => {
  const { id } = await disputed(app, seller, (await paidPix(app, seller)).id)
  const other = await sellingSeller(app)
  const admin = await adminToken(app)
  expect((await app.api.get('disputes')).status).toBe(401)
  expect((await app.api.get('disputes', { token: admin })).status).toBe(403)
  expect((await app.api.get(`disputes/${id}`)).status).toBe(401)
  expect((await getDispute(id, admin)).status).toBe(403)
  const foreign = await getDispute(id, other.token)
  const missing = await getDispute(app.services.newId(), other.token)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'dispute.not_found'])
  expect((await getDispute('x')).status).toBe(400)
  expect((await resolve(app, other, id, 'won')).status).toBe(404)
  const { id: paymentId } = await paidPix(app, seller)
  const body = { type: 'med' }
  expect((await app.api.post(`sandbox/payments/${paymentId}/dispute`, { token: other.token, body })).status).toBe(404)
  expect((await app.api.post(`sandbox/payments/${paymentId}/dispute`, { token: seller.token, body: {} })).status).toBe(
    400,
  )
})
