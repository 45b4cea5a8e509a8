import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RefundState } from '../../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { eventsOf, getPayment, sellingSeller, setReserve } from '../../support/payments.ts'
import {
  bookOf,
  findings,
  hearRefund,
  paidBoleto,
  paidCard,
  paidPix,
  permutations,
  postRefund,
  refunded,
  refundsOf,
  reservingSeller,
  runJobs,
} from '../../support/refunds.ts'

const DAY_MS = 86_400_000
const COMPLETED: RefundState = { status: 'completed' }
const PROCESSING: RefundState = { status: 'processing' }
const FAILED: RefundState = { status: 'failed', reason: 'account_closed' }

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const forward = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

const holdsOf = async (paymentId: string) => {
  const { rows } = await app.sql.query(
    'select amount, consumed_amount, status, release_at from reserve_holds where payment_id = $1 order by id',
    [paymentId],
  )
  return rows.map((row) => ({ ...row, amount: Number(row.amount), consumed_amount: Number(row.consumed_amount) }))
}

test('a refund that the provider refuses gives all of its money back', async () => {
  const seller = await reservingSeller(app)
  const { id } = await paidPix(app, seller)
  const before = await bookOf(app, seller)
  const [hold] = await holdsOf(id)
  await refunded(app, seller, id, 4_092)
  await runJobs(app, ['sendRefunds'])
  expect(await refundsOf(app, seller, id)).toMatchObject([{ status: 'failed' }])
  expect(await bookOf(app, seller)).toEqual(before)
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', refundedAmount: 0 })
  // What goes back to the reserve is a new hold until the old one's time.
  expect(await holdsOf(id)).toEqual([
    { amount: 990, consumed_amount: 990, status: 'consumed', release_at: hold?.release_at },
    { amount: 990, consumed_amount: 0, status: 'held', release_at: hold?.release_at },
  ])
  expect((await eventsOf(app, seller, 'refund.')).map(({ type }) => type)).toEqual(['refund.failed'])
  expect((await postRefund(app, seller, id, { amount: 4_000 })).status).toBe(201)
})

test('a refund without an outcome stays processing, and is asked about until there is one', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPix(app, seller)
  await refunded(app, seller, id, 4_091)
  await runJobs(app, ['sendRefunds'])
  forward(60_000)
  await runJobs(app, ['reconcileRefunds'])
  expect(await refundsOf(app, seller, id)).toMatchObject([{ status: 'processing' }])
  expect((await getPayment(app, seller, id)).status).toBe('paid')
  forward(3_600_000)
  await runJobs(app, ['reconcileRefunds'])
  expect(await refundsOf(app, seller, id)).toMatchObject([{ status: 'completed' }])
})

test('a crash between taking a refund and sending it is made good by asking, and it is sent once', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPix(app, seller)
  const refund = await refunded(app, seller, id, 4_000)
  const [claimed] = await app.services.transact((tx) => tx.refunds.claimUnsent(20, app.clock.now()))
  expect(claimed?.id).toBe(refund.id)
  expect(await app.services.jobs.sendRefunds.runOnce()).toBe(0)
  expect(await app.services.jobs.reconcileRefunds.runOnce()).toBe(0)
  forward(60_000)
  expect(await app.services.jobs.reconcileRefunds.runOnce()).toBe(1)
  expect(await refundsOf(app, seller, id)).toMatchObject([{ status: 'completed' }])
})

test('a crash between the provider’s answer and our writing it is made good by asking', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPix(app, seller)
  const refund = await refunded(app, seller, id, 4_000)
  await app.services.transact((tx) => tx.refunds.claimUnsent(20, app.clock.now()))
  const charge = { paymentId: id, reference: null }
  const amount = refund.amount as never
  const asked = { refundId: refund.id, sellerId: seller.id, charge, endToEndId: null, amount, reason: null }
  await app.services.providers.find('sandbox')?.refunds?.create(asked)
  forward(60_000)
  await runJobs(app, ['reconcileRefunds'])
  expect((await getPayment(app, seller, id)).refundedAmount).toBe(4_000)
})

test('processes that run the job at once send a refund once', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPix(app, seller)
  await refunded(app, seller, id, 1_000)
  const counts = await Promise.all(Array.from({ length: 5 }, () => app.services.jobs.sendRefunds.runOnce()))
  expect(counts.reduce((total, count) => total + count, 0)).toBe(1)
})

test('in whatever order and however often callbacks come, the end is the same', { timeout: 60_000 }, async () => {
  for (const final of [COMPLETED, FAILED]) {
    const ends = new Set<string>()
    for (const states of permutations([PROCESSING, final, final])) {
      const seller = await reservingSeller(app)
      const { id } = await paidPix(app, seller)
      const refund = await refunded(app, seller, id, 3_000)
      for (const state of states) await hearRefund(app, seller, refund.id, [state])
      const { status, refundedAmount } = await getPayment(app, seller, id)
      ends.add(JSON.stringify({ status, refundedAmount, book: await bookOf(app, seller) }))
      expect((await eventsOf(app, seller, 'refund.')).length).toBe(1)
    }
    expect(ends.size).toBe(1)
  }
})

test('the outcomes of several refunds of a payment end the same in any order', { timeout: 60_000 }, async () => {
  const ends = new Set<string>()
  for (const order of permutations([0, 1, 2])) {
    const seller = await sellingSeller(app)
    const { id } = await paidCard(app, seller)
    const refunds = [await refunded(app, seller, id, 4_000), await refunded(app, seller, id, 3_000)]
    refunds.push(await refunded(app, seller, id, 1_000))
    const outcomes = [FAILED, COMPLETED, FAILED]
    for (const at of order) await hearRefund(app, seller, refunds[at]?.id ?? '', [outcomes[at] ?? PROCESSING])
    const { rows } = await app.sql.query(
      'select canceled_amount from payment_settlements where payment_id = $1 order by installment',
      [id],
    )
    const { status, refundedAmount } = await getPayment(app, seller, id)
    ends.add(JSON.stringify({ status, refundedAmount, rows, book: await bookOf(app, seller) }))
  }
  expect(ends.size).toBe(1)
})

test('an answer that contradicts an earlier one changes nothing and is marked for a person', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPix(app, seller)
  const refund = await refunded(app, seller, id, 1_000)
  await hearRefund(app, seller, refund.id, [FAILED])
  const before = await bookOf(app, seller)
  expect(await hearRefund(app, seller, refund.id, [COMPLETED])).toEqual([
    { status: 'ignored', reason: 'contradicts_failed' },
  ])
  expect(await bookOf(app, seller)).toEqual(before)
})

test('a failed refund of a part that has settled meanwhile, and of a hold that was due, is available', async () => {
  const seller = await reservingSeller(app)
  const { id } = await paidCard(app, seller, { installments: 1 })
  const waiting = await refunded(app, seller, id, 4_000)
  forward(40 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  const reserved = await refunded(app, seller, id, 300)
  forward(40 * DAY_MS)
  await runJobs(app, ['releaseReserves'])
  const { available: before = 0 } = await bookOf(app, seller)
  await hearRefund(app, seller, waiting.id, [FAILED])
  await hearRefund(app, seller, reserved.id, [FAILED])
  const { available, clearing, ...rest } = await bookOf(app, seller)
  expect(available).toBe(before + 4_300)
  // All of it was paid over in the end: the acquirer owes nothing any more.
  expect({ clearing, rest: Object.keys(rest) }).toEqual({ clearing: -10_000, rest: ['fee_revenue'] })
})

test('a part that a refund emptied settles for its share of the fee, and is not told as money', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidCard(app, seller, { installments: 1 })
  const { netAmount } = await getPayment(app, seller, id)
  await refunded(app, seller, id, netAmount)
  await runJobs(app, ['sendRefunds'])
  forward(40 * DAY_MS)
  await runJobs(app, ['settlePayments'])
  const { rows } = await app.sql.query('select status from payment_settlements where payment_id = $1', [id])
  expect(rows).toEqual([{ status: 'canceled' }])
  const fee = 10_000 - netAmount
  expect(await bookOf(app, seller)).toEqual({ clearing: -fee, fee_revenue: fee })
  expect(await eventsOf(app, seller, 'balance.')).toEqual([])
})

test('race: two refunds of the whole at once are one', async () => {
  const seller = await sellingSeller(app)
  await paidPix(app, seller)
  const { id } = await paidPix(app, seller)
  const answers = await Promise.all(Array.from({ length: 6 }, () => postRefund(app, seller, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
  expect(await refundsOf(app, seller, id)).toHaveLength(1)
})

test('race: settling and refunding the same parts at once lose no centavo', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const seller = await reservingSeller(app)
    const { id } = await paidCard(app, seller)
    forward(31 * DAY_MS)
    await Promise.all([
      ...[1_000, 2_000, 3_000].map((amount) => postRefund(app, seller, id, { amount })),
      ...Array.from({ length: 3 }, () => app.services.jobs.settlePayments.runOnce()),
    ])
    await runJobs(app, ['settlePayments', 'sendRefunds'])
    const { clearing = 0, receivable = 0 } = await bookOf(app, seller)
    expect(clearing + receivable).toBe(-4_000)
    expect(await findings(app)).toStrictEqual([])
  }
})

/** Asks for a refund and holds what it took against the order in which it must. Answers its id when it was accepted. */
const refundInOrder = async (seller: Seller, paymentId: string, amount: number): Promise<string[]> => {
  const before = await bookOf(app, seller)
  const { status, body } = await postRefund(app, seller, paymentId, { amount })
  const after = await bookOf(app, seller)
  if (status !== 201) {
    expect([status, after]).toEqual([422, before])
    return []
  }
  const had = (bucket: string) => before[bucket] ?? 0
  const took = (bucket: string) => had(bucket) - (after[bucket] ?? 0)
  const pending = Math.min(amount, had('pending'))
  const reserved = Math.min(amount - pending, had('reserved'))
  const expected = { pending, reserved, available: amount - pending - reserved }
  expect({ pending: took('pending'), reserved: took('reserved'), available: took('available') }).toEqual(expected)
  return [body.id]
}

const STORY = fc.record({
  method: fc.constantFrom('pix', 'card', 'settled'),
  amounts: fc.array(fc.integer({ min: 1, max: 6_000 }), { minLength: 1, maxLength: 4 }),
  percentage: fc.integer({ min: 0, max: 5_000 }),
})

test('the money order: parts that wait, then holds, then what is available', { timeout: 90_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(STORY, async ({ method, amounts, percentage }) => {
      const seller = await sellingSeller(app)
      await setReserve(app, seller, percentage, 30)
      const { id } = await (method === 'pix' ? paidPix(app, seller) : paidCard(app, seller))
      if (method === 'settled') {
        forward(32 * DAY_MS)
        await runJobs(app, ['settlePayments'])
      }
      const whole = await bookOf(app, seller)
      const accepted: string[] = []
      for (const amount of amounts) accepted.push(...(await refundInOrder(seller, id, amount)))
      // However they fail, all of it is there again.
      for (const refundId of accepted.toReversed()) await hearRefund(app, seller, refundId, [FAILED])
      expect(await bookOf(app, seller)).toEqual(whole)
      expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', refundedAmount: 0 })
    }),
    { numRuns: 10 },
  )
})

test('an unknown refund waits to be matched', async () => {
  const seller = await sellingSeller(app)
  await paidBoleto(app, seller)
  expect(await hearRefund(app, seller, app.services.newId(), [COMPLETED])).toEqual([{ status: 'unmatched' }])
})
