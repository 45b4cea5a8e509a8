import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { callBack, lastProviderEvent } from '../../support/callbacks.ts'
import { adminToken } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { paidCard, paidPix } from '../../support/refunds.ts'
import { findings, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let token: string
const apps: TestApp[] = []

// What the platform has is of all books, so every test has a platform of its own.
beforeEach(async () => {
  app = await startTestApp()
  apps.push(app)
  token = await adminToken(app)
})
afterAll(async () => {
  for (const one of apps) {
    expect(await findings(one)).toStrictEqual([])
    await one.close()
  }
})

const PAYOUT = { pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees of October.' }

const treasury = async () => (await app.api.get('admin/treasury', { token })).body
const payOut = (amount: number, body: object = {}, as = token) =>
  app.api.post('admin/treasury/payouts', {
    token: as,
    body: { ...PAYOUT, amount, ...body },
    headers: { 'idempotency-key': randomUUID() },
  })
const payouts = async () => (await app.api.get('admin/treasury/payouts', { token })).body.data

/** A Pix that a seller was paid: what the platform earned by it. */
const earned = async (): Promise<number> => {
  const seller = await sellingSeller(app)
  await paidPix(app, seller)
  return (await app.services.read.ledger.findBalances(seller.id)).fee_revenue
}

test('200: what was earned lies at the provider, every account sums to zero', async () => {
  const fee = await earned()
  expect(fee).toBeGreaterThan(0)
  const body = await treasury()
  expect(body).toMatchObject({
    earnedAmount: fee,
    cashAmount: 10_000,
    payableAmount: fee,
    owedToSellersAmount: 10_000 - fee,
  })
  const sum = body.accounts.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  expect(sum).toBe(0)
})

test('200: what the acquirer of cards has not paid over is earned, and cannot be paid out yet', async () => {
  const seller = await sellingSeller(app)
  await paidCard(app, seller)
  const { earnedAmount, payableAmount, cardsPendingAmount } = await treasury()
  expect(earnedAmount).toBeGreaterThan(0)
  expect(cardsPendingAmount).toBeGreaterThan(0)
  expect(payableAmount).toBe(0)
})

test('200: what one seller owes is no money for others', async () => {
  const fee = await earned()
  const debtor = await sellerWith(app, 0)
  const taken = { sellerId: debtor.id, amount: -5_000, reason: 'Gone.', allowNegative: true, against: 'clearing' }
  expect((await app.api.post('admin/adjustments', { token, body: taken })).status).toBe(201)
  expect(await treasury()).toMatchObject({ earnedAmount: fee, payableAmount: 0, owedToSellersAmount: 10_000 - fee })
  const given = { sellerId: debtor.id, amount: 5_000, kind: 'write_off', reason: 'Given up.' }
  expect((await app.api.post('admin/adjustments', { token, body: given })).status).toBe(201)
  expect(await treasury()).toMatchObject({ earnedAmount: fee - 5_000, payableAmount: 0 })
})

test('201: what was earned is paid out once, never more', async () => {
  const fee = await earned()
  const refused = await payOut(fee + 1)
  expect([refused.status, refused.body.code]).toStrictEqual([422, 'treasury.amount_exceeds_payable'])
  const answers = await Promise.all([payOut(fee), payOut(fee), payOut(fee)])
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, 422, 422])
  expect(await treasury()).toMatchObject({ earnedAmount: 0, payableAmount: 0, cashAmount: 10_000 - fee })
  await app.services.jobs.payTreasury.runOnce()
  expect(await payouts()).toMatchObject([
    {
      amount: fee,
      status: 'completed',
      endToEndId: expect.any(String),
      pixKey: expect.not.stringContaining('tesouraria'),
    },
  ])
})

test('a payout that is refused comes back; one without an outcome is asked about and not sent twice', async () => {
  for (let paid = 0; paid < 5; paid += 1) await earned()
  await payOut(92)
  await payOut(91)
  const { earnedAmount } = await treasury()
  await app.services.jobs.payTreasury.runOnce()
  expect((await payouts()).map(({ status }: { status: string }) => status)).toStrictEqual(['processing', 'failed'])
  expect((await treasury()).earnedAmount).toBe(earnedAmount + 92)
  await app.sql.query("update sandbox_records set status = 'completed' where kind = 'payout' and amount = 91")
  app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
  await app.services.jobs.payTreasury.runOnce()
  expect((await payouts()).map(({ status }: { status: string }) => status)).toStrictEqual(['completed', 'failed'])
  expect((await treasury()).earnedAmount).toBe(earnedAmount + 92)
})

const hear = (id: string, ...statuses: ('completed' | 'failed' | 'returned')[]) =>
  callBack(
    app,
    statuses.map((status) => ({
      kind: 'payout' as const,
      reference: id.replaceAll('-', ''),
      state: status === 'completed' ? { status, endToEndId: 'E123' } : { status, reason: 'account_closed' },
    })),
  )

test('a callback ends a payout without an outcome, and a bank that sends it back gives the money back once', async () => {
  for (let paid = 0; paid < 5; paid += 1) await earned()
  const before = await treasury()
  const { id } = (await payOut(91)).body
  await app.services.jobs.payTreasury.runOnce()
  const state = async () => (await payouts()).find((payout: { id: string }) => payout.id === id)
  expect((await state()).status).toBe('processing')
  await hear(id, 'completed')
  expect(await state()).toMatchObject({ status: 'completed', endToEndId: 'E123' })
  expect((await treasury()).earnedAmount).toBe(before.earnedAmount - 91)
  await hear(id, 'returned')
  await hear(id, 'completed', 'returned')
  expect(await state()).toMatchObject({ status: 'returned', statusReason: 'account_closed' })
  expect(await treasury()).toMatchObject({ earnedAmount: before.earnedAmount, cashAmount: before.cashAmount })
  await hear(id, 'failed')
  expect((await lastProviderEvent(app)).failure).toBe('contradicts_returned')
  expect((await treasury()).earnedAmount).toBe(before.earnedAmount)
})

test('one that fails by a callback comes back, also where the callback and a question say it at once', async () => {
  for (let paid = 0; paid < 5; paid += 1) await earned()
  const before = await treasury()
  const { id } = (await payOut(91)).body
  await app.services.jobs.payTreasury.runOnce()
  await app.sql.query("update sandbox_records set status = 'failed' where kind = 'payout' and amount = 91")
  app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
  await Promise.all([app.services.jobs.payTreasury.runOnce(), hear(id, 'failed'), hear(id, 'failed')])
  expect((await payouts())[0]).toMatchObject({ id, status: 'failed' })
  expect(await treasury()).toMatchObject({ earnedAmount: before.earnedAmount, cashAmount: before.cashAmount })
})

test('202: from the amount of the policy on another administrator lets it go, if it is still there', async () => {
  const fee = await earned()
  await setPolicy(app, token, { treasuryPayoutFromAmount: 2 })
  const first = await payOut(fee)
  expect([first.status, first.body.kind]).toStrictEqual([202, 'treasury_payout'])
  expect((await treasury()).payableAmount).toBe(fee)
  const second = await anotherAdmin(app)
  expect((await payOut(1)).status).toBe(201)
  const approve = () => app.api.post(`admin/approvals/${first.body.id}/approve`, { token: second })
  expect((await approve()).body.code).toBe('approval.not_possible')
  await earned()
  expect((await approve()).status).toBe(200)
  expect((await payouts()).map(({ amount }: { amount: number }) => amount)).toContain(fee)
})

test('400, 401 and 403', async () => {
  expect((await payOut(0)).status).toBe(400)
  expect((await payOut(1, { pixKey: 'nobody' })).status).toBe(400)
  expect((await app.api.post('admin/treasury/payouts', { token, body: { ...PAYOUT, amount: 1 } })).status).toBe(400)
  expect((await app.api.get('admin/treasury')).status).toBe(401)
  const seller = await sellerWith(app, 0)
  expect((await app.api.get('admin/treasury', { token: seller.token })).status).toBe(403)
  expect((await payOut(1, {}, seller.token)).status).toBe(403)
})
