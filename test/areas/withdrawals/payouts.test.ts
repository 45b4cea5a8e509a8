import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPayouts } from '../../../src/areas/withdrawals/withdrawals.payouts.ts'
import { createCircuitBreaker } from '../../../src/providers/circuit-breaker.ts'
import { guardProvider } from '../../../src/providers/guarded-provider.ts'
import type {
  PaymentProvider,
  PayoutLookup,
  PayoutRequest,
  PayoutResult,
} from '../../../src/providers/provider.port.ts'
import { createProviderRegistry } from '../../../src/providers/provider.registry.ts'
import { createSandboxProvider } from '../../../src/providers/sandbox/sandbox.provider.ts'
import { sandboxSecret } from '../../../src/providers/sandbox/sandbox.signature.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { bucketsOf, configure, eventTypes, findings, requested, sellerWith } from '../../support/withdrawals.ts'

const MINUTE_MS = 60_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  // What another test left on its way is none of this one's.
  await app.sql.query("update withdrawals set last_attempt_at = '2999-01-01' where status = 'processing'")
  await app.services.jobs.payWithdrawals.runOnce()
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const payer = async (feeFixedAmount = 100): Promise<Seller> => {
  const seller = await sellerWith(app, 100_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000, feeFixedAmount })
  return seller
}

const read = async (seller: Seller, id: string) =>
  (await app.api.get(`withdrawals/${id}`, { token: seller.token })).body

const settle = (seller: Seller, id: string, outcome: string) =>
  app.api.post(`sandbox/withdrawals/${id}/settle`, { token: seller.token, body: { outcome } })

/** A bank that answers what it is told to, and remembers what it was asked. */
const scripted = (script: {
  create?: (request: PayoutRequest) => PayoutResult | Promise<PayoutResult>
  lookup?: () => PayoutLookup
}) => {
  const sent: PayoutRequest[] = []
  const provider: PaymentProvider = {
    ...createSandboxProvider({ ...app.services, secrets: [sandboxSecret('k'.repeat(32))] }),
    payouts: {
      create: async (request) => {
        sent.push(request)
        return (await script.create?.(request)) ?? { outcome: 'unknown', reason: 'silence' }
      },
      get: async () => script.lookup?.() ?? { outcome: 'unknown', reason: 'silence' },
    },
  }
  const guarded = guardProvider(provider, { onFailure: () => undefined, breaker: createCircuitBreaker(() => 0) })
  const providers = createProviderRegistry([guarded], { payouts: 'sandbox' })
  return { sent, jobs: createPayouts({ ...app.services, providers }) }
}

const later = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

test('an approved withdrawal is paid: the net leaves, the fee is revenue, each step is told once', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller, { amount: 10_000 })
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(1)
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  expect(await read(seller, id)).toMatchObject({
    status: 'completed',
    endToEndId: expect.stringMatching(/^E[0-9A-Z]{8}\d{12}[A-Za-z0-9]{11}$/),
    completedAt: expect.any(String),
  })
  expect(await bucketsOf(app, seller.id)).toStrictEqual({
    available: 90_000,
    withdrawing: 0,
    clearing: -100_000 + 9_900,
    feeRevenue: 100,
  })
  expect(await eventTypes(app, seller.id)).toStrictEqual([
    'withdrawal.requested',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
  ])
})

test('a definite refusal gives amount and fee back', async () => {
  const seller = await payer(0)
  const { id } = await requested(app, seller, { amount: 10_092 })
  await app.services.jobs.payWithdrawals.runOnce()
  expect(await read(seller, id)).toMatchObject({ status: 'failed', statusReason: 'payout_refused' })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 100_000, withdrawing: 0, feeRevenue: 0 })
})

test('two jobs at once send every payout once', async () => {
  const sellers = await Promise.all(Array.from({ length: 3 }, () => payer()))
  const ids = []
  for (const seller of [...sellers, ...sellers]) ids.push((await requested(app, seller, { amount: 2_000 })).id)
  const bank = scripted({})
  const counts = await Promise.all(Array.from({ length: 4 }, () => bank.jobs.payWithdrawals.runOnce()))
  expect(counts.reduce((sum, count) => sum + count)).toBe(6)
  expect(bank.sent.map(({ withdrawalId }) => withdrawalId).sort()).toStrictEqual(ids.sort())
})

test('an unknown outcome stays processing, is asked about with growing pauses, and ends with a definite answer', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller)
  const bank = scripted({})
  await bank.jobs.payWithdrawals.runOnce()
  expect(await read(seller, id)).toMatchObject({ status: 'processing' })
  expect(await bank.jobs.reconcilePayouts.runOnce()).toBe(0)
  const askedAfterMinutes: number[] = []
  for (let minute = 1; minute <= 60; minute += 1) {
    later(MINUTE_MS)
    if ((await bank.jobs.reconcilePayouts.runOnce()) > 0) askedAfterMinutes.push(minute)
  }
  const pauses = askedAfterMinutes.map((minute, index) => minute - (askedAfterMinutes[index - 1] ?? 0))
  expect(pauses.length).toBeGreaterThan(4)
  expect(pauses.slice(0, -1).every((pause, index) => pause <= (pauses[index + 1] ?? 0))).toBe(true)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(16)
  expect(await read(seller, id)).toMatchObject({ status: 'processing' })
  expect(bank.sent.length).toBe(1)
  later(60 * MINUTE_MS)
  const answered = scripted({
    lookup: () => ({
      outcome: 'found',
      payout: { reference: `found-${id}`, state: { status: 'completed', endToEndId: 'E2E' } },
    }),
  })
  expect(await answered.jobs.reconcilePayouts.runOnce()).toBe(1)
  expect(await read(seller, id)).toMatchObject({ status: 'completed', endToEndId: 'E2E' })
  expect(answered.sent).toStrictEqual([])
})

test('a payout that the bank has never heard of is sent again under the same id', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller, { description: 'Aluguel' })
  const bank = scripted({ lookup: () => ({ outcome: 'missing' }) })
  await bank.jobs.payWithdrawals.runOnce()
  later(MINUTE_MS)
  expect(await bank.jobs.reconcilePayouts.runOnce()).toBe(1)
  expect(bank.sent.map(({ withdrawalId }) => withdrawalId)).toStrictEqual([id, id])
  expect(bank.sent[1]).toStrictEqual(bank.sent[0])
  expect(bank.sent[0]).toMatchObject({ amount: 9_900, pixKey: 'financeiro@padaria.com.br', description: 'Aluguel' })
  expect(await read(seller, id)).toMatchObject({ status: 'processing' })
})

test('a crash right after the payout was taken, or right after the bank did it, is made good', async () => {
  const seller = await payer()
  const ids = [(await requested(app, seller)).id, (await requested(app, seller)).id]
  const taken = await app.services.transact((tx) => tx.withdrawals.claimApproved('sandbox', 20, app.clock.now()))
  expect(taken.map(({ id }) => id)).toStrictEqual(ids)
  const [, second] = taken
  if (second === undefined) throw new Error('nothing was taken')
  const { netAmount, pixKeyType, pixKey, description } = second
  const sent = { withdrawalId: second.id, sellerId: seller.id, holder: null }
  const request = { ...sent, amount: netAmount, pixKeyType, pixKey, description }
  expect(await app.services.providers.routes.payouts?.payouts?.create(request)).toMatchObject({ outcome: 'accepted' })
  later(MINUTE_MS)
  expect(await app.services.jobs.reconcilePayouts.runOnce()).toBe(2)
  for (const id of ids) expect(await read(seller, id)).toMatchObject({ status: 'completed' })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 80_000, withdrawing: 0, feeRevenue: 200 })
})

test('a bank that breaks down or hangs up fails nothing', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller)
  const bank = scripted({
    create: () => {
      throw new Error('socket hang up')
    },
  })
  expect(await bank.jobs.payWithdrawals.runOnce()).toBe(1)
  expect(await read(seller, id)).toMatchObject({ status: 'processing', statusReason: null })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 90_000, withdrawing: 10_000 })
})

test('what was approved before its seller was suspended waits, says why, and goes out afterwards', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller)
  await app.sql.query('update users set approved = false where id = $1', [seller.id])
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  expect(await read(seller, id)).toMatchObject({ status: 'approved', statusReason: 'seller_not_approved' })
  await app.sql.query('update users set approved = true where id = $1', [seller.id])
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(1)
  expect(await read(seller, id)).toMatchObject({ status: 'completed', statusReason: null })
})

test('a bank may send a completed payout back: the net is available again, the fee is not', async () => {
  const seller = await payer()
  const { id } = await requested(app, seller, { amount: 10_000 })
  await app.services.jobs.payWithdrawals.runOnce()
  expect((await settle(seller, id, 'returned')).status).toBe(202)
  expect(await read(seller, id)).toMatchObject({ status: 'returned', statusReason: 'payout_returned' })
  expect(await bucketsOf(app, seller.id)).toStrictEqual({
    available: 99_900,
    withdrawing: 0,
    clearing: -100_000,
    feeRevenue: 100,
  })
})

test('a payout that the bank decides later ends by its callback', async () => {
  const seller = await payer(0)
  const ids = []
  for (let count = 0; count < 2; count += 1) ids.push((await requested(app, seller, { amount: 10_091 })).id)
  await app.services.jobs.payWithdrawals.runOnce()
  expect((await read(seller, ids[0])).status).toBe('processing')
  await settle(seller, ids[0], 'completed')
  await settle(seller, ids[1], 'failed')
  expect(await read(seller, ids[0])).toMatchObject({ status: 'completed' })
  expect(await read(seller, ids[1])).toMatchObject({ status: 'failed', statusReason: 'payout_failed' })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 89_909, withdrawing: 0 })
})
