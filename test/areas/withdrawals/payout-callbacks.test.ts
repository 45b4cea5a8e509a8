import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PayoutState } from '../../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { bucketsOf, configure, eventTypes, findings, requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const PROCESSING: PayoutState = { status: 'processing' }
const COMPLETED: PayoutState = { status: 'completed', endToEndId: 'E-1' }
const RETURNED: PayoutState = { status: 'returned', reason: 'account_closed' }
const FAILED: PayoutState = { status: 'failed', reason: 'no_such_key' }

/** A withdrawal whose payout is out. Its amount makes the simulated bank wait. */
const sent = async (): Promise<{ seller: Seller; id: string }> => {
  const seller = await sellerWith(app, 20_091)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000, feeFixedAmount: 100 })
  const { id } = await requested(app, seller, { amount: 10_191 })
  await app.services.jobs.payWithdrawals.runOnce()
  return { seller, id }
}

const hear = (seller: Seller, id: string, states: readonly PayoutState[]) => {
  const notifications = states.map((state) => ({
    provider: 'sandbox',
    sellerId: seller.id,
    resourceId: id,
    resourceKind: 'payout' as const,
    notification: { kind: 'payout' as const, reference: id, state },
  }))
  return app.services.transact((tx) => app.services.withdrawals.handleNotifications(tx, notifications, new Date()))
}

const endOf = async (seller: Seller, id: string) => {
  const { status, statusReason, endToEndId } = (await app.api.get(`withdrawals/${id}`, { token: seller.token })).body
  return { status, statusReason, endToEndId, buckets: await bucketsOf(app, seller.id) }
}

const permutations = <Value>(values: readonly Value[]): Value[][] =>
  values.length === 0
    ? [[]]
    : values.flatMap((value, at) => permutations(values.toSpliced(at, 1)).map((rest) => [value, ...rest]))

const RETURNED_BUCKETS = { available: 19_991, withdrawing: 0, clearing: -20_091, feeRevenue: 100 }

test('in whatever order a completion and its return come in, the end is the same', { timeout: 60_000 }, async () => {
  for (const states of permutations([PROCESSING, COMPLETED, RETURNED])) {
    const { seller, id } = await sent()
    for (const state of states) await hear(seller, id, [state])
    expect(await endOf(seller, id)).toStrictEqual({
      status: 'returned',
      statusReason: 'account_closed',
      endToEndId: 'E-1',
      buckets: RETURNED_BUCKETS,
    })
    expect((await eventTypes(app, seller.id)).slice(-3)).toStrictEqual([
      'withdrawal.processing',
      'withdrawal.completed',
      'withdrawal.returned',
    ])
  }
})

test('however often and in whatever batches callbacks come, money moves once', { timeout: 60_000 }, async () => {
  const stories = fc.constantFrom([COMPLETED, RETURNED, PROCESSING], [COMPLETED, PROCESSING], [FAILED, PROCESSING])
  const deliveries = stories.chain((story) =>
    fc.tuple(fc.constant(story), fc.array(fc.array(fc.constantFrom(...story), { maxLength: 4 }), { maxLength: 4 })),
  )
  await fc.assert(
    fc.asyncProperty(deliveries, async ([story, batches]) => {
      const { seller, id } = await sent()
      for (const batch of batches) await hear(seller, id, batch)
      // In the end every message has come at least once.
      await hear(seller, id, story)
      const { status, buckets } = await endOf(seller, id)
      expect(status).toBe(story.find((state) => state === RETURNED)?.status ?? story[0]?.status)
      if (status === 'returned') expect(buckets).toStrictEqual(RETURNED_BUCKETS)
      if (status === 'failed') expect(buckets).toMatchObject({ available: 20_091, withdrawing: 0, feeRevenue: 0 })
      if (status === 'completed') expect(buckets).toMatchObject({ available: 9_900, withdrawing: 0, feeRevenue: 100 })
      const types = await eventTypes(app, seller.id)
      expect(new Set(types).size).toBe(types.length)
    }),
    { numRuns: 15 },
  )
})

test('callbacks at the same moment as the job move money once', { timeout: 60_000 }, async () => {
  const { seller, id } = await sent()
  await Promise.all(Array.from({ length: 8 }, () => hear(seller, id, [COMPLETED])))
  expect(await endOf(seller, id)).toMatchObject({ status: 'completed', buckets: { available: 9_900, feeRevenue: 100 } })
})

test('an answer that contradicts an earlier one changes nothing and is marked for a person', async () => {
  const { seller, id } = await sent()
  await hear(seller, id, [FAILED])
  expect(await hear(seller, id, [COMPLETED])).toStrictEqual([{ status: 'ignored', reason: 'contradicts_failed' }])
  expect(await endOf(seller, id)).toMatchObject({ status: 'failed', buckets: { available: 20_091, withdrawing: 0 } })
})

test('a callback about a withdrawal that there is not waits to be matched', async () => {
  const { seller } = await sent()
  expect(await hear(seller, '01939f3e-0000-7000-8000-000000000000', [COMPLETED])).toStrictEqual([
    { status: 'unmatched' },
  ])
})
