import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { disputed, findings, paidPix, resolve } from '../../support/refunds.ts'
import { until } from '../../support/until.ts'
import { configure, requested } from '../../support/withdrawals.ts'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const approve = (id: string) => app.api.post(`admin/withdrawals/${id}/approve`, { token })
const read = async (seller: Seller, id: string) =>
  (await app.api.get(`withdrawals/${id}`, { token: seller.token })).body
const availableOf = async (seller: Seller): Promise<number> =>
  (await app.services.read.ledger.findBalances(seller.id)).available

/** All that a payment brought is asked for, and then the payer disputes it. */
const uncovered = async (autoApproveMaxAmount = 0) => {
  const seller = await sellingSeller(app)
  await configure(app, seller.id, { autoApproveMaxAmount })
  const payment = await paidPix(app, seller)
  const { id } = await requested(app, seller, { amount: await availableOf(seller) })
  const dispute = (await disputed(app, seller, payment.id)) as { id: string; paymentId: string }
  return { seller, id, dispute, available: await availableOf(seller) }
}

test('409: a withdrawal that a dispute has uncovered since is not approved, and the administrator sees why', async () => {
  const { seller, id, dispute, available } = await uncovered()
  expect(available).toBeLessThan(0)
  const answer = await approve(id)
  expect(answer.status).toBe(409)
  expect(answer.body).toMatchObject({ code: 'withdrawal.uncovered' })
  expect(answer.body.detail).toContain(`${available} centavos`)
  expect((await read(seller, id)).status).toBe('pending_approval')
  const listed = await app.api.get(`admin/withdrawals?sellerId=${seller.id}`, { token })
  expect(listed.body.data).toMatchObject([
    {
      id,
      owedAmount: -available,
      availableAmount: available,
      uncoveredBy: [{ id: dispute.id, paymentId: dispute.paymentId, type: 'med', status: 'open', amount: 10_000 }],
    },
  ])
})

test('200: a rejection gives the money back, which covers the debt', async () => {
  const { seller, id } = await uncovered()
  const answer = await app.api.post(`admin/withdrawals/${id}/reject`, { token, body: { reason: 'Disputed.' } })
  expect(answer.status).toBe(200)
  expect(await availableOf(seller)).toBeLessThanOrEqual(0)
})

test('200: it is approved once the dispute was won', async () => {
  const { seller, id, dispute } = await uncovered()
  await resolve(app, seller, dispute.id, 'won')
  expect((await approve(id)).status).toBe(200)
  await app.services.jobs.payWithdrawals.runOnce()
  expect((await read(seller, id)).status).toBe('completed')
})

test('what was approved before the dispute waits, says why, and goes out when the debt is covered', async () => {
  const { seller, id, dispute } = await uncovered(1_000_000)
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  expect(await read(seller, id)).toMatchObject({ status: 'approved', statusReason: 'balance_below_zero' })
  await resolve(app, seller, dispute.id, 'won')
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(1)
  expect(await read(seller, id)).toMatchObject({ status: 'completed', statusReason: null })
})

const reject = (id: string) => app.api.post(`admin/withdrawals/${id}/reject`, { token, body: { reason: 'Disputed.' } })

test('200: what was approved and cannot be paid out is rejected after all, and covers the debt', async () => {
  const { seller, id, available } = await uncovered(1_000_000)
  const { amount } = await read(seller, id)
  const answer = await reject(id)
  expect([answer.status, answer.body.status, answer.body.statusReason]).toStrictEqual([200, 'rejected', 'Disputed.'])
  expect(await availableOf(seller)).toBe(available + amount)
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  expect((await read(seller, id)).status).toBe('rejected')
})

test('409: what was approved and can be paid out is not rejected', async () => {
  const { seller, id, dispute } = await uncovered(1_000_000)
  await resolve(app, seller, dispute.id, 'won')
  const answer = await reject(id)
  expect([answer.status, answer.body.code]).toStrictEqual([409, 'withdrawal.not_pending'])
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(1)
})

test('409: a payout that goes out while the rejection looks wins, and nothing is given back', async () => {
  const seller = await sellingSeller(app)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const payment = await paidPix(app, seller)
  const { id, amount } = await requested(app, seller, { amount: await availableOf(seller) })
  let rejection: ReturnType<typeof reject> | undefined
  await app.services.transact(async (tx) => {
    expect(await tx.withdrawals.claimApproved('sandbox', 1, app.clock.now())).toMatchObject([{ id }])
    await disputed(app, seller, payment.id)
    rejection = reject(id)
    await until('the rejection waits for the payout', async () => (await waitingForLocks(app)) > 0)
  })
  expect((await rejection)?.body.code).toBe('withdrawal.not_pending')
  expect((await app.services.read.ledger.findBalances(seller.id)).withdrawing).toBe(amount)
})

test('a rejection that is being written wins over the payout of what has just been covered', async () => {
  const { seller, id, dispute, available } = await uncovered(1_000_000)
  await app.services.jobs.payWithdrawals.runOnce()
  const { amount } = await read(seller, id)
  const holder = await app.sql.connect()
  try {
    await holder.query('begin')
    await holder.query("select from ledger_accounts where seller_id = $1 and account = 'available' for update", [
      seller.id,
    ])
    const rejection = reject(id)
    await until('the rejection waits for the book', async () => (await waitingForLocks(app)) > 0)
    expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
    await holder.query('commit')
    expect((await rejection).status).toBe(200)
  } finally {
    holder.release()
  }
  expect(await availableOf(seller)).toBe(available + amount)
  await resolve(app, seller, dispute.id, 'won')
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
})
