import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { findings, paidPix, refunded } from '../../support/refunds.ts'
import { configure, requested } from '../../support/withdrawals.ts'

const DAY_MS = 86_400_000

let app: TestApp
let token: string
let seller: Seller
let date: string
const apps: TestApp[] = []

// A day at a provider is of the whole platform, so every test has a platform of its own.
beforeEach(async () => {
  app = await startTestApp()
  apps.push(app)
  token = await adminToken(app)
  seller = await sellingSeller(app)
  date = saoPauloDate(app.clock.now())
})
afterAll(async () => {
  for (const one of apps) {
    expect(await findings(one)).toStrictEqual([])
    await one.close()
  }
})

const referenceOf = (id: string): string => id.replaceAll('-', '')

/** Everything that the day may have, once each: payments, a refund, a withdrawal. */
const busyDay = async () => {
  const payments = [await paidPix(app, seller), await paidPix(app, seller), await paidPix(app, seller)]
  await refunded(app, seller, payments[0]?.id ?? '', 1_000)
  await app.services.jobs.sendRefunds.runOnce()
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const { id: withdrawal } = await requested(app, seller, { amount: 2_000 })
  await app.services.jobs.payWithdrawals.runOnce()
  return { payments: payments.map(({ id }) => id), withdrawal: withdrawal as string }
}

const nextDay = (days = 1) => app.clock.setOffsetMs(app.clock.offsetMs() + days * DAY_MS)

/** What the acquirer has in its own books, whatever it told. */
const atAcquirer = (sql: string, values: unknown[] = []) => app.sql.query(sql, values)

const reconcile = async (provider = 'sandbox', day = date) => {
  const asked = await app.api.post('admin/reconciliations', { token, body: { provider, date: day } })
  expect([asked.status, asked.body.status]).toStrictEqual([202, 'running'])
  while ((await app.services.jobs.reconcileProviders.runOnce()) > 0);
  return (await app.api.get(`admin/reconciliations/${asked.body.id}`, { token })).body
}

const exceptions = async (status = 'open') =>
  (await app.api.get(`admin/reconciliation-exceptions?status=${status}`, { token })).body.data

const resolve = (id: string, body: object, as = token) =>
  app.api.post(`admin/reconciliation-exceptions/${id}/resolve`, { token: as, body: { reason: 'Looked at.', ...body } })

const eventsOf = async (): Promise<string[]> => {
  const { rows } = await app.sql.query(
    "select type from events where seller_id = $1 and type like 'reconciliation.%' order by id",
    [seller.id],
  )
  return rows.map(({ type }) => type.replace('reconciliation.exception_', ''))
}

test('202: a day that agrees is balanced, as often as it is compared', async () => {
  await busyDay()
  nextDay()
  const first = await reconcile()
  expect(first).toMatchObject({ status: 'balanced', matchedCount: 5, exceptionCount: 0, providerAmount: 27_000 })
  expect(first.platformAmount).toBe(first.providerAmount)
  expect(await reconcile()).toMatchObject({ status: 'balanced', matchedCount: 5, exceptionCount: 0 })
  expect(await exceptions()).toStrictEqual([])
})

test('each kind of fault is found once, by its kind, and nothing else', async () => {
  const { payments, withdrawal } = await busyDay()
  const lost = await createPayment(app, seller)
  for (const fault of [
    { fault: 'lost_callback', id: lost.id },
    { fault: 'doubled', id: payments[0] },
    { fault: 'other_amount', id: payments[1], amount: 9_000 },
    { fault: 'wrong_fee', id: payments[2], amount: 7 },
    { fault: 'ghost_payout', amount: 5_000 },
    { fault: 'late_refund', amount: 300 },
    { fault: 'missing_there', id: withdrawal },
  ]) {
    expect((await app.api.post('sandbox/faults', { token, body: fault })).status).toBe(201)
  }
  nextDay()
  expect(await reconcile()).toMatchObject({ status: 'exceptions', exceptionCount: 7 })
  const found = await exceptions()
  const facts = found.map(({ kind, lineKind, providerAmount, platformAmount }: Record<string, unknown>) =>
    [kind, lineKind, providerAmount, platformAmount].join(' '),
  )
  expect(facts.sort()).toStrictEqual([
    'amount charge 9000 10000',
    'duplicate charge 10000 0',
    'fee charge 7 0',
    'missing_here charge 10000 0',
    'missing_there payout 0 2000',
    'unmatched_payout payout 5000 0',
    'unmatched_refund refund 300 0',
  ])
  await reconcile()
  expect((await exceptions()).map(({ id }: { id: string }) => id)).toStrictEqual(
    found.map(({ id }: { id: string }) => id),
  )
  // Nobody knows whose the ghost and the late refund are.
  expect(await eventsOf()).toStrictEqual(Array.from({ length: 5 }, () => 'opened'))
})

test('a callback that was late corrects the day of the money by itself, and is not missing on its own', async () => {
  const lost = await createPayment(app, seller)
  await atAcquirer(
    `insert into sandbox_records (kind, reference, status, amount, end_to_end_id, created_at, updated_at)
     values ('charge', $1, 'paid', 10000, 'E-lost', $2, $2)`,
    [referenceOf(lost.id), app.clock.now()],
  )
  nextDay()
  expect(await reconcile()).toMatchObject({ status: 'exceptions', exceptionCount: 1 })
  await app.services.jobs.reconcilePayments.runOnce()
  await app.sql.query("update payments set status = 'paid', paid_amount = 10000, paid_at = $2 where id = $1", [
    lost.id,
    app.clock.now(),
  ])
  expect(await reconcile()).toMatchObject({ status: 'balanced', matchedCount: 1 })
  expect(await exceptions('resolved')).toMatchObject([{ kind: 'missing_here', resolution: 'match', resolvedBy: null }])
  expect(await eventsOf()).toStrictEqual(['opened', 'resolved'])
  const late = saoPauloDate(app.clock.now())
  nextDay()
  expect(await reconcile('sandbox', late)).toMatchObject({ status: 'balanced' })
})

/** A payment of which the acquirer has less than the books: 10 reais are missing. */
const short = async () => {
  const payment = await paidPix(app, seller)
  const set = (amount: number) =>
    atAcquirer('update sandbox_records set amount = $2 where reference = $1', [referenceOf(payment.id), amount])
  await set(9_000)
  nextDay()
  await reconcile()
  const [exception] = await exceptions()
  return { exception, set }
}

const book = () => app.services.read.ledger.findBalances(seller.id)

test('200: a difference is the seller’s or a loss, by a posting; resolved twice it is not', async () => {
  const { exception } = await short()
  const before = await book()
  const { status, body } = await resolve(exception.id, { resolution: 'adjust' })
  expect([status, body.status, body.resolution]).toStrictEqual([200, 'resolved', 'adjust'])
  const after = await book()
  expect([after.available - before.available, after.clearing - before.clearing]).toStrictEqual([-1_000, 1_000])
  expect((await resolve(exception.id, { resolution: 'adjust' })).body.code).toBe('reconciliation_exception.not_open')
  await reconcile()
  expect(await exceptions()).toStrictEqual([])
  expect(await eventsOf()).toStrictEqual(['opened', 'resolved'])
})

test('an exception that was resolved opens again when the facts change', async () => {
  const { exception, set } = await short()
  expect((await resolve(exception.id, { resolution: 'explain' })).status).toBe(200)
  await reconcile()
  expect(await exceptions()).toStrictEqual([])
  await set(8_000)
  await reconcile()
  expect(await exceptions()).toMatchObject([
    { id: exception.id, providerAmount: 8_000, reopenedCount: 1, resolution: null },
  ])
  const before = await book()
  expect((await resolve(exception.id, { resolution: 'write_off' })).status).toBe(200)
  expect((await book()).losses - before.losses).toBe(-2_000)
})

test('202: from the amount of the policy on another administrator resolves it', async () => {
  const { exception } = await short()
  await setPolicy(app, token, { adjustmentFromAmount: 1_000 })
  const { status, body } = await resolve(exception.id, { resolution: 'write_off' })
  expect([status, body.kind]).toStrictEqual([202, 'reconciliation'])
  expect((await book()).losses).toBe(0)
  const second = await anotherAdmin(app)
  expect((await app.api.post(`admin/approvals/${body.id}/approve`, { token: second })).status).toBe(200)
  expect((await book()).losses).toBe(-1_000)
  expect(await exceptions('resolved')).toMatchObject([{ resolution: 'write_off', approvedBy: expect.any(String) }])
})

test('422: what is nobody’s adjusts nobody, and is a loss of the platform’s own book', async () => {
  await atAcquirer(
    `insert into sandbox_records (kind, reference, status, amount, created_at, updated_at)
     values ('payout', 'ghost', 'completed', 5000, $1, $1)`,
    [app.clock.now()],
  )
  nextDay()
  await reconcile()
  const [ghost] = await exceptions()
  expect((await resolve(ghost.id, { resolution: 'adjust' })).body.code).toBe('reconciliation_exception.no_seller')
  expect((await resolve(ghost.id, { resolution: 'write_off' })).status).toBe(200)
  const { body } = await app.api.get('admin/treasury', { token })
  expect(body).toMatchObject({ earnedAmount: -5_000, cashAmount: -5_000 })
})

test('each night yesterday is compared by itself, and what does not agree again', async () => {
  const payment = await paidPix(app, seller)
  await atAcquirer('update sandbox_records set amount = 9_000 where reference = $1', [referenceOf(payment.id)])
  const job = app.services.jobs.reconcileProviders
  const listed = async () => (await app.api.get('admin/reconciliations', { token })).body.data
  const untilHour = (day: string, hour: number) =>
    app.clock.setOffsetMs(startOfSaoPauloDay(day).getTime() + hour * 3_600_000 - Date.now())
  untilHour(addDays(date, 1), 3)
  expect(await job.runOnce()).toBe(0)
  untilHour(addDays(date, 1), 5)
  expect(await job.runOnce()).toBe(1)
  expect(await listed()).toMatchObject([{ date, status: 'exceptions', exceptionCount: 1 }])
  expect(await job.runOnce()).toBe(0)
  await atAcquirer('update sandbox_records set amount = 10_000 where reference = $1', [referenceOf(payment.id)])
  untilHour(addDays(date, 2), 5)
  expect(await job.runOnce()).toBe(1)
  expect(await job.runOnce()).toBe(1)
  expect(await job.runOnce()).toBe(0)
  expect(await exceptions()).toStrictEqual([])
  expect((await listed()).map(({ status }: { status: string }) => status)).toStrictEqual(['balanced', 'balanced'])
})

test('metrics, dashboard and status say what is open, how much and for how long', async () => {
  const stateOf = async () => (await app.api.get('status')).body.components.reconciliation
  const before = await app.api.get('admin/dashboard', { token })
  expect(before.body.reconciliation).toMatchObject({ openCount: 0, openAmount: 0, openSince: null })
  await short()
  app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
  expect(await app.services.reconciliation.findOpenSeconds()).toBeGreaterThanOrEqual(60)
  const { reconciliation } = (await app.api.get('admin/dashboard', { token })).body
  expect(reconciliation).toMatchObject({ openCount: 1, openAmount: 1_000, openSince: expect.any(String) })
  expect(reconciliation.byKind).toContainEqual({ kind: 'amount', count: 1, amount: 1_000 })
  const gauges = app.services.gauges.filter(({ name }) => name.startsWith('reconciliation_exceptions_open'))
  expect(await Promise.all(gauges.map(({ read }) => read()))).toMatchObject([
    { amount: 1, missing_here: 0 },
    { amount: 1_000, missing_here: 0 },
  ])
  expect(await stateOf()).toBe('ok')
  nextDay(2)
  expect(await stateOf()).toBe('degraded')
})

test('400, 401, 403, 404 and 422', async () => {
  const run = (body: object, as?: string) =>
    app.api.post('admin/reconciliations', { ...(as ? { token: as } : {}), body })
  expect((await run({ provider: 'sandbox', date: 'today' }, token)).status).toBe(400)
  expect((await run({ provider: 'nobody', date }, token)).body.code).toBe('reconciliation.no_statement')
  expect((await run({ provider: 'sandbox', date }, token)).body.code).toBe('reconciliation.day_not_over')
  expect((await run({ provider: 'sandbox', date })).status).toBe(401)
  expect((await run({ provider: 'sandbox', date }, seller.token)).status).toBe(403)
  expect((await app.api.get(`admin/reconciliations/${randomUUID()}`, { token })).body.code).toBe(
    'reconciliation.not_found',
  )
  expect((await resolve(randomUUID(), { resolution: 'explain' })).body.code).toBe('reconciliation_exception.not_found')
  expect((await resolve(randomUUID(), { resolution: 'forget' })).status).toBe(400)
})
