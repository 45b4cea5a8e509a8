import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { bookOf, disputed, findings, paidPix, resolve, runJobs, tellDispute } from '../../support/refunds.ts'

const DAY_MS = 86_400_000

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const put = (type: string, body: unknown, token: string | undefined = admin) =>
  app.api.put(`admin/dispute-fees/${type}`, { token, body })

const revenue = async () => {
  const { body } = await app.api.get('admin/revenue', { token: admin })
  const { disputeFeesAmount, refundedFeesAmount, paymentFeesAmount, netRevenueAmount } = body
  return { disputeFeesAmount, refundedFeesAmount, paymentFeesAmount, netRevenueAmount }
}

test('200: nothing is charged until an administrator says so', async () => {
  expect((await app.api.get('admin/dispute-fees', { token: admin })).body.data).toEqual([
    { type: 'med', feeAmount: 0, updatedAt: null },
    { type: 'chargeback', feeAmount: 0, updatedAt: null },
  ])
})

test('a dispute keeps the fee that it was opened with, which is charged when it is lost, and only then', async () => {
  const own = await sellingSeller(app)
  const before = await disputed(app, own, (await paidPix(app, own)).id)
  expect((await put('med', { feeAmount: 2_500 })).body).toMatchObject({ type: 'med', feeAmount: 2_500 })
  const lost = await disputed(app, own, (await paidPix(app, own)).id)
  const won = await disputed(app, own, (await paidPix(app, own)).id)
  await put('med', { feeAmount: 9_000 })
  expect([before.feeAmount, lost.feeAmount, won.feeAmount]).toEqual([0, 2_500, 2_500])
  await resolve(app, own, before.id, 'lost')
  await resolve(app, own, won.id, 'won')
  expect((await bookOf(app, own)).fee_revenue).toBe(297)
  await resolve(app, own, lost.id, 'lost')
  expect(await bookOf(app, own)).toEqual({ available: 7_203, clearing: -10_000, fee_revenue: 2_797 })
  expect(await revenue()).toMatchObject({ disputeFeesAmount: 2_500, refundedFeesAmount: 0, paymentFeesAmount: 297 })
})

test('a fee that the seller cannot pay is owed: available falls below zero, and the transfer says that it was forced', async () => {
  const own = await sellingSeller(app)
  await put('med', { feeAmount: 500 })
  const dispute = await disputed(app, own, (await paidPix(app, own)).id)
  await resolve(app, own, dispute.id, 'lost')
  expect(await bookOf(app, own)).toEqual({ available: -599, fee_revenue: 599 })
  const { rows } = await app.sql.query(
    "select kind, forced from ledger_transfers where seller_id = $1 and kind like 'dispute_%' order by id",
    [own.id],
  )
  expect(rows).toEqual([
    { kind: 'dispute_opened', forced: true },
    { kind: 'dispute_lost', forced: true },
  ])
})

test('a loss that is undone gives the fee back, and the revenue says so to the centavo', async () => {
  const own = await sellingSeller(app)
  await put('med', { feeAmount: 700 })
  const { id } = await paidPix(app, own)
  const claim = {
    status: 'open' as const,
    type: 'med' as const,
    chargeReference: id.replaceAll('-', ''),
    amount: centavos(10_000),
    reason: 'Fraud',
    respondBy: new Date(app.clock.now().getTime() + DAY_MS),
  }
  const start = await revenue()
  await tellDispute(app, 'undone', claim)
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * DAY_MS)
  await runJobs(app, ['loseUnansweredDisputes'])
  expect(await bookOf(app, own)).toEqual({ available: -799, fee_revenue: 799 })
  await tellDispute(app, 'undone', { status: 'won' })
  expect(await bookOf(app, own)).toEqual({ available: 9_901, clearing: -10_000, fee_revenue: 99 })
  const end = await revenue()
  expect(end.disputeFeesAmount - start.disputeFeesAmount).toBe(700)
  expect(end.refundedFeesAmount - start.refundedFeesAmount).toBe(700)
  expect(end.netRevenueAmount).toBe(start.netRevenueAmount)
  const { rows } = await app.sql.query(
    "select sum(balance_amount)::int as total from ledger_accounts where account = 'fee_revenue'",
  )
  expect(end.netRevenueAmount).toBe(rows[0].total)
})

test('who set which fee is in the audit log', async () => {
  await put('chargeback', { feeAmount: 5_000 })
  await put('chargeback', { feeAmount: 6_000 })
  const { data } = (await app.api.get('admin/audit-log?action=dispute_fee.set', { token: admin })).body
  expect(data[0]).toMatchObject({
    before: { type: 'chargeback', feeAmount: 5_000 },
    after: { type: 'chargeback', feeAmount: 6_000 },
  })
})

test('400, 401 and 403', async () => {
  for (const body of [{}, { feeAmount: -1 }, { feeAmount: 1.5 }, { feeAmount: '1' }, { feeAmount: 1, type: 'med' }]) {
    expect((await put('med', body)).status).toBe(400)
  }
  expect((await put('judicial', { feeAmount: 1 })).status).toBe(400)
  const { token } = await sellingSeller(app)
  expect((await put('med', { feeAmount: 1 }, token)).status).toBe(403)
  expect((await app.api.get('admin/dispute-fees', { token })).status).toBe(403)
  expect((await app.api.get('admin/dispute-fees')).status).toBe(401)
})
