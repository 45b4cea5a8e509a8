import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDailyTotalsQueries } from '../../src/daily-totals/daily-totals.repository.ts'
import { repairDailyTotals, verifyDailyTotals } from '../../src/daily-totals/daily-totals.verify.ts'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { NEWEST_FIRST } from '../../src/db/page.ts'
import { centavos } from '../../src/domain/money.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken, type Seller } from '../support/factories.ts'
import { insertPayment } from '../support/payment-rows.ts'
import { createPayment, pay, sellingSeller } from '../support/payments.ts'
import { bookDispute, bookProviderCost, bookRefund, paidPayment, rollUp } from '../support/reports.ts'
import { newWebhook } from '../support/webhooks.ts'

let app: TestApp
let database: Database
let admin: string
let sellers: Seller[]

beforeAll(async () => {
  app = await startTestApp()
  database = createDatabase(app.sql)
  admin = await adminToken(app)
  sellers = [await sellingSeller(app), await sellingSeller(app)]
})

afterAll(() => app.close())

const differences = () => createDailyTotalsQueries(database).listDifferences(10)
const brokenSums = () => createDailyTotalsQueries(database).listBrokenSums(10)
const waitingChanges = async () =>
  Number((await app.sql.query('select count(*) from daily_total_changes')).rows[0].count)

const waitingEvents = async () =>
  Number((await app.sql.query('select count(*) from events where fanned_out_at is null')).rows[0].count)

// What sellers do to what is counted: payments of each method, in every state that a test gets them to.
const live = async (seller: Seller): Promise<void> => {
  const made = await Promise.all(
    (['pix', 'boleto', 'credit_card'] as const).map((method, place) =>
      paidPayment(app, seller, { method, amount: 5_000 + place }),
    ),
  )
  const canceled = await createPayment(app, seller, { amount: 700 })
  await app.api.post(`payments/${canceled.id}/cancel`, { token: seller.token })
  await pay(app, seller, (await createPayment(app, seller, { amount: 900 })).id)
  await bookRefund(app, seller.id, 100, true)
  await bookProviderCost(app, seller.id, 3)
  await bookDispute(app, seller.id, { paymentId: made[0]?.id, amount: 300, feeAmount: 7 })
}

test('in every moment the totals are what counting gives, whatever is written and rolled up meanwhile', async () => {
  let living = true
  const looks: unknown[] = []
  const look = async () => {
    while (living) looks.push(await differences(), await brokenSums())
  }
  const roll = async () => {
    while (living) await app.services.jobs.rollUpDailyTotals.runOnce()
  }
  const fanOut = async () => {
    while (living) await app.services.webhookEngine.fanOut.runOnce()
  }
  const watching = Promise.all([look(), roll(), roll(), fanOut()])
  try {
    await Promise.all([...sellers, ...sellers].map(live))
  } finally {
    living = false
    await watching
  }
  expect(looks.length).toBeGreaterThan(3)
  expect(looks.flat()).toEqual([])
  await rollUp(app)
  expect([await waitingChanges(), await differences(), await brokenSums()]).toEqual([0, [], []])
})

test('totals are exact at once after a commit, before and after rolling up, with every filter they know', async () => {
  const [seller] = sellers as [Seller]
  const now = new Date()
  const periods = [
    '',
    `&from=${now.toISOString().slice(0, 10)}`,
    `&from=2026-01-01&to=${now.toISOString()}`,
    `&to=2026-01-01`,
  ]
  const totalOf = async (path: string, token: string) => {
    const { status, body, text } = await app.api.get(`${path}&perPage=100`, { token })
    if (status !== 200) throw new Error(`${path}: ${text}`)
    return [path, body.totalRecords, body.data.length]
  }
  const check = async () => {
    const paths = periods.flatMap((period) => [
      `payments?page=1${period}`,
      `payments?status=paid&status=pending${period}`,
      `payments?method=boleto${period}`,
      `transactions?type=payment_received&bucket=available${period}`,
      `transactions?direction=debit${period}`,
      `customers?page=1${period}`,
      `disputes?status=lost&type=med${period}`,
      `events?page=1${period}`,
      `events?type=payment.created${period}`,
      `payments?method=pix&minAmount=1000${period}`,
      `disputes?respondBefore=2026-01-01T00:00:00.000Z${period}`,
    ])
    for (const path of paths) {
      const [, total, rows] = await totalOf(path, seller.token)
      expect([path, total]).toEqual([path, rows])
    }
    for (const path of [
      'admin/payments?status=canceled',
      'admin/transactions?bucket=pending',
      'admin/withdrawals?page=1',
    ]) {
      const [, total, rows] = await totalOf(path, admin)
      expect([path, total]).toEqual([path, rows])
    }
  }
  await paidPayment(app, seller, { amount: 1_234 })
  expect(await waitingChanges()).toBeGreaterThan(0)
  await check()
  await rollUp(app)
  await check()
  // Events are in the totals once they are fanned out, and counted where they wait until then.
  expect(await waitingEvents()).toBeGreaterThan(0)
  expect(await app.services.webhookEngine.fanOut.runOnce()).toBeGreaterThan(0)
  expect([await waitingEvents(), (await waitingChanges()) > 0]).toEqual([0, true])
  await check()
  await rollUp(app)
  await check()
})

test('what was rolled back is not counted', async () => {
  const before = await app.api.get('payments', { token: sellers[1]?.token ?? '' })
  const rolledBack = app.services.transact(async (tx) => {
    const [payment] = (
      await tx.payments.list({ sellerId: sellers[1]?.id }, { page: 1, perPage: 1, sort: NEWEST_FIRST })
    ).rows
    if (payment === undefined) throw new Error('there is no payment')
    await tx.payments.moveMany([{ from: payment.status, row: { ...payment, paidAmount: centavos(1) } }])
    await tx.payments.insertMany([{ ...payment, id: app.services.newId() }])
    throw new Error('never mind')
  })
  await expect(rolledBack).rejects.toThrow('never mind')
  await insertPayment({ sql: app.sql, newId: app.services.newId }, sellers[1]?.id ?? '', 100)
  const after = await app.api.get('payments', { token: sellers[1]?.token ?? '' })
  expect(after.body.totalRecords).toBe(before.body.totalRecords + 1)
  expect(await differences()).toEqual([])
})

test('an event counts once, whether it waits, was born with its deliveries, or has been fanned out', async () => {
  const [seller] = sellers as [Seller]
  const webhook = await newWebhook(app, seller, 'https://example.com/counted')
  await app.api.post(`seller-webhooks/${webhook}/test`, { token: seller.token })
  const look = async () => {
    const { body } = await app.api.get('events', { token: seller.token })
    const { rows } = await app.sql.query('select count(*)::int from events where seller_id = $1', [seller.id])
    expect([body.totalRecords, await differences()]).toEqual([rows[0].count, []])
  }
  await look()
  await paidPayment(app, seller, { amount: 3_000 })
  await look()
  await app.services.webhookEngine.fanOut.runOnce()
  await look()
})

test('a delivery counts once and for its webhook alone: due, rolled up, ended, or deleted', async () => {
  const seller = await sellingSeller(app)
  const webhooks = [
    await newWebhook(app, seller, 'https://example.com/first', { events: ['payment.created'] }),
    await newWebhook(app, seller, 'https://example.com/second', { events: ['*'] }),
  ]
  await Promise.all([1, 2, 3].map(() => paidPayment(app, seller, { amount: 2_000 })))
  while ((await app.services.webhookEngine.fanOut.runOnce()) > 0);
  const look = async (): Promise<number[]> => {
    const totals: number[] = []
    for (const webhook of webhooks) {
      for (const narrowing of [
        '',
        `&to=${new Date().toISOString()}`,
        '&from=2026-01-01',
        '&status=pending',
        '&status=failed',
      ]) {
        const path = `seller-webhooks/${webhook}/deliveries?perPage=100${narrowing}`
        const { body } = await app.api.get(path, { token: seller.token })
        expect([path, body.totalRecords]).toEqual([path, body.data.length])
        if (narrowing === '') totals.push(body.totalRecords)
      }
    }
    expect(await differences()).toEqual([])
    return totals
  }
  const [first = 0, second = 0] = await look()
  expect([first, second > first]).toEqual([3, true])
  await rollUp(app)
  expect(await look()).toEqual([first, second])
  await app.sql.query("update webhook_deliveries set status = 'failed', next_attempt_at = null where webhook_id = $1", [
    webhooks[0],
  ])
  expect(await look()).toEqual([first, second])
  const inAMonth = new Date(Date.now() + 31 * 86_400_000)
  await app.services.transact((tx) => tx.webhookDeliveries.deleteOfEventsBefore(inAMonth, 1_000))
  expect(await look()).toEqual([0, 0])
})

test('totals that are wrong are found and put right, while payments are made', async () => {
  await rollUp(app)
  const { rows } = await app.sql.query(
    `update daily_totals set rows_count = rows_count + 1, amount = amount - 7
     where ctid in (select ctid from daily_totals where span = 'day' and subject = 'payment_created' and seller_id = $1 limit 1)
     returning starts_on::text`,
    [sellers[0]?.id],
  )
  expect(await differences()).toMatchObject([
    {
      sellerId: sellers[0]?.id,
      subject: 'payment_created',
      day: rows[0].starts_on,
      detail: expect.stringMatching(/: rows -1, amounts 7 0 0$/),
    },
  ])
  await app.sql.query('update daily_revenue set refunds_amount = refunds_amount + 1 where seller_id = $1', [
    sellers[0]?.id,
  ])
  expect((await brokenSums()).map(({ subject }) => subject)).toContain('revenue')
  const [repaired] = await Promise.all([repairDailyTotals(database), ...sellers.map(live)])
  expect(repaired).toBe(1)
  expect(await verifyDailyTotals(database)).toEqual([])
})

test('totals can be made anew from nothing', async () => {
  await app.sql.query('truncate daily_totals, daily_revenue, daily_total_changes')
  expect((await differences()).length).toBeGreaterThan(0)
  expect(await repairDailyTotals(database)).toBeGreaterThan(20)
  expect(await verifyDailyTotals(database)).toEqual([])
})
