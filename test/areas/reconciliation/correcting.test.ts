import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { findings } from '../../support/refunds.ts'

const HOUR_MS = 3_600_000
const PLATFORM_BOOK = '00000000-0000-7000-8000-000000000001'

let app: TestApp
let token: string
let seller: Seller
let date: string

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  seller = await sellingSeller(app)
})
// Each test has a day of its own, far from the nights of the others.
beforeEach(() => {
  date = addDays(saoPauloDate(app.clock.now()), 5)
  toHour(date, 10)
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const toHour = (day: string, hour: number) =>
  app.clock.setOffsetMs(startOfSaoPauloDay(day).getTime() + hour * HOUR_MS - Date.now())

const plant = (body: object, as = token) => app.api.post('sandbox/faults', { token: as, body })

const reconcile = async () => {
  toHour(addDays(date, 1), 2)
  const asked = await app.api.post('admin/reconciliations', { token, body: { provider: 'sandbox', date } })
  while ((await app.services.jobs.reconcileProviders.runOnce()) > 0);
  return (await app.api.get(`admin/reconciliations/${asked.body.id}`, { token })).body
}

const found = async () =>
  (await app.api.get('admin/reconciliation-exceptions?status=open', { token })).body.data.filter(
    (one: { date: string }) => one.date === date,
  )

const story = async (id: string) => (await app.api.get(`admin/reconciliation-exceptions/${id}`, { token })).body

const resolve = (id: string, resolution: string, as = token) =>
  app.api.post(`admin/reconciliation-exceptions/${id}/resolve`, { token: as, body: { resolution, reason: 'Seen.' } })

const sellerBook = () => app.services.read.ledger.findBalances(seller.id)
const clearing = async (): Promise<number[]> => {
  const { rows } = await app.sql.query(
    "select account, balance_amount from ledger_accounts where seller_id = $1 and account in ('clearing', 'withdrawing') order by 1",
    [PLATFORM_BOOK],
  )
  return rows.map((row) => Number(row.balance_amount))
}

/** Money that came in of which nobody here was told, and whose payment takes it no more. */
const lostMoney = async (amount = 10_000) => {
  const payment = await createPayment(app, seller, { amount })
  await app.api.post(`payments/${payment.id}/cancel`, { token: seller.token })
  expect((await plant({ fault: 'lost_callback', id: payment.id })).status).toBe(201)
  const day = await reconcile()
  expect(day).toMatchObject({ status: 'exceptions', exceptionCount: 1 })
  const [exception] = await found()
  expect(exception).toMatchObject({ kind: 'missing_here', providerAmount: amount, remainingAmount: amount })
  return { payment, exception }
}

/** What the callback that was lost would have said. */
const confirm = async (id: string, amount: number) => {
  await app.services.sandbox?.pay({ sellerId: seller.id, userId: seller.id, role: 'seller' } as never, id, amount)
}

test('refund_payer: what is nobody’s goes back by the provider’s refund, once, and both movements agree', async () => {
  const { exception } = await lostMoney()
  const { status, body } = await resolve(exception.id, 'refund_payer')
  expect([status, body.status, body.resolution]).toStrictEqual([200, 'resolved', 'refund_payer'])
  const lies = await clearing()
  expect(lies).toStrictEqual([-10_000, 10_000])
  await app.services.jobs.refundPayers.runOnce()
  expect(await app.services.jobs.refundPayers.runOnce()).toBe(0)
  expect(await clearing()).toStrictEqual([0, 0])
  const { rows } = await app.sql.query("select amount from sandbox_records where kind = 'refund'")
  expect(rows).toMatchObject([{ amount: '10000' }])
  expect(await story(exception.id)).toMatchObject({
    theirs: { amount: 10_000, endToEndId: expect.any(String), happenedAt: expect.any(String) },
    ours: { type: 'payment', status: 'canceled', at: null },
    resolutions: [
      { resolution: 'refund_payer', reason: 'Seen.', posting: { account: 'withdrawing', amount: 10_000 }, run: null },
    ],
    payerRefunds: [{ amount: 10_000, status: 'completed' }],
  })
  await reconcile()
  expect(await found()).toStrictEqual([])
  // The refund went out the day after: there the statement has it, and so have the books.
  date = addDays(date, 1)
  expect(await reconcile()).toMatchObject({ status: 'balanced', matchedCount: 1, providerAmount: -10_000 })
})

test('refund_payer: an answer that never came is asked for again under the same id', async () => {
  const { exception } = await lostMoney()
  const { refunds } = app.services.providers.find('sandbox') ?? {}
  if (refunds === undefined) throw new Error('the sandbox gives no refunds')
  const { create } = refunds
  const before = await app.sql.query("select from sandbox_records where kind = 'refund'")
  Object.assign(refunds, {
    async create(...given: Parameters<typeof create>) {
      await create(...given)
      return { outcome: 'unknown', reason: 'cut' }
    },
  })
  await resolve(exception.id, 'refund_payer')
  await app.services.jobs.refundPayers.runOnce()
  Object.assign(refunds, { create })
  expect((await story(exception.id)).payerRefunds).toMatchObject([{ status: 'processing' }])
  app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
  await app.services.jobs.refundPayers.runOnce()
  expect((await story(exception.id)).payerRefunds).toMatchObject([{ status: 'completed' }])
  const after = await app.sql.query("select from sandbox_records where kind = 'refund'")
  expect(after.rows.length - before.rows.length).toBe(1)
})

test('refund_payer: what the provider would not give back is open again', async () => {
  const { exception } = await lostMoney(10_092)
  const before = await clearing()
  await resolve(exception.id, 'refund_payer')
  await app.services.jobs.refundPayers.runOnce()
  expect(await clearing()).toStrictEqual(before)
  const told = await story(exception.id)
  expect(told).toMatchObject({ status: 'open', remainingAmount: 10_092, reopenedCount: 1, resolution: null })
  expect(told.payerRefunds).toMatchObject([{ status: 'failed', statusReason: 'refund_refused' }])
  expect((await resolve(exception.id, 'write_off')).status).toBe(200)
})

test('what was corrected and then came by itself is open again, and is not corrected twice', async () => {
  const { payment, exception } = await lostMoney()
  const before = await sellerBook()
  expect((await resolve(exception.id, 'adjust')).status).toBe(200)
  const { rows } = await app.sql.query('select end_to_end_id from sandbox_records where reference = $1', [
    payment.id.replaceAll('-', ''),
  ])
  await confirm(payment.id, 10_000)
  // The acquirer names the Pix and the moment as it did.
  await app.sql.query('update payments set pix_end_to_end_id = $2 where id = $1', [payment.id, rows[0].end_to_end_id])
  await app.sql.query('update sandbox_records set end_to_end_id = $2, updated_at = created_at where reference = $1', [
    payment.id.replaceAll('-', ''),
    rows[0].end_to_end_id,
  ])
  await reconcile()
  expect(await found()).toMatchObject([{ id: exception.id, reopenedCount: 1, remainingAmount: -10_000 }])
  expect((await resolve(exception.id, 'adjust')).status).toBe(200)
  const { body } = await app.api.get(`payments/${payment.id}`, { token: seller.token })
  expect((await sellerBook()).available - before.available).toBe(body.netAmount)
  await reconcile()
  expect(await found()).toStrictEqual([])
  expect((await story(exception.id)).resolutions).toMatchObject([
    { resolution: 'adjust', posting: { amount: 10_000 } },
    { resolution: 'adjust', posting: { amount: -10_000 } },
  ])
})

test('a day that came late shows which run corrected which', async () => {
  const { payment, exception } = await lostMoney()
  await app.sql.query('delete from sandbox_records where reference = $1', [payment.id.replaceAll('-', '')])
  const { runs } = await reconcile()
  expect(runs).toMatchObject([
    { cause: 'asked', exceptionCount: 0, correctedCount: 1, correctedBy: null },
    { cause: 'asked', exceptionCount: 1, correctedBy: runs[0].run },
  ])
  expect(await story(exception.id)).toMatchObject({
    status: 'resolved',
    resolvedByRun: runs[0].run,
    resolutions: [{ resolution: 'match', resolvedBy: null, run: runs[0].run, posting: null }],
  })
})

test('what agreed last night is compared once more the night after', async () => {
  toHour(addDays(date, 1), 5)
  await app.services.jobs.reconcileProviders.runOnce()
  const dayRuns = async () => {
    const { data } = (await app.api.get('admin/reconciliations', { token })).body
    const day = data.find((one: { date: string }) => one.date === date)
    return (await app.api.get(`admin/reconciliations/${day.id}`, { token })).body.runs.length
  }
  const before = await dayRuns()
  for (const day of [2, 3, 4]) {
    toHour(addDays(date, day), 5)
    while ((await app.services.jobs.reconcileProviders.runOnce()) > 0);
  }
  expect(await dayRuns()).toBe(before + 1)
})

test('each fault that can be planted; 401, 403 and 422', async () => {
  expect((await plant({ fault: 'ghost_payout' })).body.code).toBe('sandbox.nothing_booked')
  expect((await plant({ fault: 'ghost_payout', amount: 1 }, seller.token)).status).toBe(403)
  expect((await app.api.post('sandbox/faults', { body: { fault: 'ghost_payout', amount: 1 } })).status).toBe(401)
  expect((await plant({ fault: 'unknown' })).status).toBe(400)
})

// The last one: a looser policy would need a second administrator itself.
test('202: above the policy money goes back when another administrator approves it', async () => {
  const { exception } = await lostMoney(7_000)
  await setPolicy(app, token, { adjustmentFromAmount: 7_000 })
  const { status, body } = await resolve(exception.id, 'refund_payer')
  expect([status, body.kind]).toStrictEqual([202, 'reconciliation'])
  expect(await story(exception.id)).toMatchObject({ status: 'open', approvalId: body.id, payerRefunds: [] })
  const second = await anotherAdmin(app)
  expect((await app.api.post(`admin/approvals/${body.id}/approve`, { token: second })).status).toBe(200)
  await app.services.jobs.refundPayers.runOnce()
  const told = await story(exception.id)
  expect(told.payerRefunds).toMatchObject([{ status: 'completed', amount: 7_000 }])
  expect(told.resolutions).toMatchObject([{ resolvedBy: expect.any(String), approvedBy: expect.any(String) }])
})
