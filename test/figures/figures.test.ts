import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { createFiguresRepository } from '../../src/figures/figures.repository.ts'
import { repairFigures, verifyFigures } from '../../src/figures/verify-figures.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken, type Seller } from '../support/factories.ts'
import { insertPayment } from '../support/payment-rows.ts'
import { createPayment, pay, sellingSeller } from '../support/payments.ts'
import { bookDispute, bookProviderCost, bookRefund, foldFigures, paidPayment } from '../support/reports.ts'
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

const differences = () => createFiguresRepository(database).listDifferences(10)
const brokenLevels = () => createFiguresRepository(database).listBrokenLevels(10)
const waitingChanges = async () => Number((await app.sql.query('select count(*) from figure_changes')).rows[0].count)

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

test('in every moment the sums are what counting gives, whatever is written and folded meanwhile', async () => {
  let living = true
  const looks: unknown[] = []
  const look = async () => {
    while (living) looks.push(await differences(), await brokenLevels())
  }
  const fold = async () => {
    while (living) await app.services.jobs.foldFigures.runOnce()
  }
  const fanOut = async () => {
    while (living) await app.services.webhookEngine.fanOut.runOnce()
  }
  const watching = Promise.all([look(), fold(), fold(), fanOut()])
  try {
    await Promise.all([...sellers, ...sellers].map(live))
  } finally {
    living = false
    await watching
  }
  expect(looks.length).toBeGreaterThan(3)
  expect(looks.flat()).toEqual([])
  await foldFigures(app)
  expect([await waitingChanges(), await differences(), await brokenLevels()]).toEqual([0, [], []])
})

test('totals are exact at once after a commit, before and after folding, with every filter they know', async () => {
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
  await foldFigures(app)
  await check()
  // Events are taken into the sums when they are fanned out, and counted where they wait until then.
  expect(await waitingEvents()).toBeGreaterThan(0)
  expect(await app.services.webhookEngine.fanOut.runOnce()).toBeGreaterThan(0)
  expect([await waitingEvents(), (await waitingChanges()) > 0]).toEqual([0, true])
  await check()
  await foldFigures(app)
  await check()
})

test('what was rolled back is not counted', async () => {
  const before = await app.api.get('payments', { token: sellers[1]?.token ?? '' })
  const client = await app.sql.connect()
  await client.query('begin')
  await client.query('update payments set amount = amount + 1')
  await client.query('rollback')
  client.release()
  await insertPayment({ sql: app.sql, newId: app.services.newId }, sellers[1]?.id ?? '', 100)
  const after = await app.api.get('payments', { token: sellers[1]?.token ?? '' })
  expect(after.body.totalRecords).toBe(before.body.totalRecords + 1)
  expect(await differences()).toEqual([])
})

test('an event counts once: waiting, born with its deliveries, taken back by hand, or deleted', async () => {
  const [seller] = sellers as [Seller]
  const webhook = await newWebhook(app, seller, 'https://example.com/counted')
  await app.api.post(`seller-webhooks/${webhook}/test`, { token: seller.token })
  const look = async () => {
    const { body } = await app.api.get('events', { token: seller.token })
    const { rows } = await app.sql.query('select count(*)::int from events where seller_id = $1', [seller.id])
    expect([body.totalRecords, await differences()]).toEqual([rows[0].count, []])
  }
  await look()
  await app.sql.query('update events set fanned_out_at = null where seller_id = $1', [seller.id])
  await look()
  await app.sql.query("delete from events where seller_id = $1 and type = 'webhook.test'", [seller.id])
  await look()
  await app.services.webhookEngine.fanOut.runOnce()
  await app.sql.query("delete from events where seller_id = $1 and type = 'payment.paid'", [seller.id])
  await look()
})

test('a delivery counts once and for its webhook alone: due, folded, ended, or deleted', async () => {
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
  await foldFigures(app)
  expect(await look()).toEqual([first, second])
  await app.sql.query("update webhook_deliveries set status = 'failed', next_attempt_at = null where webhook_id = $1", [
    webhooks[0],
  ])
  expect(await look()).toEqual([first, second])
  await app.sql.query(`delete from webhook_deliveries where ctid = any(array(
    select ctid from webhook_deliveries where webhook_id = '${webhooks[1]}' limit 2))`)
  expect(await look()).toEqual([first, second - 2])
})

test('sums that are wrong are found and put right, while payments are made', async () => {
  await foldFigures(app)
  const { rows } = await app.sql.query(
    `update figures set rows_count = rows_count + 1, amount = amount - 7
     where ctid in (select ctid from figures where span = 'day' and subject = 'payment_created' and seller_id = $1 limit 1)
     returning starts_on::text`,
    [sellers[0]?.id],
  )
  expect(await differences()).toMatchObject([
    { sellerId: sellers[0]?.id, subject: 'payment_created', day: rows[0].starts_on, detail: 'rows -1, amounts 7 0 0' },
  ])
  await app.sql.query('update seller_sums set refunds_amount = refunds_amount + 1 where seller_id = $1', [
    sellers[0]?.id,
  ])
  expect((await brokenLevels()).map(({ subject }) => subject)).toContain('seller_sums')
  const [repaired] = await Promise.all([repairFigures(database), ...sellers.map(live)])
  expect(repaired).toBe(1)
  expect(await verifyFigures(database)).toEqual([])
})

test('sums can be made anew from nothing', async () => {
  await app.sql.query('truncate figures, figure_changes')
  expect((await differences()).length).toBeGreaterThan(0)
  expect(await repairFigures(database)).toBeGreaterThan(20)
  expect(await verifyFigures(database)).toEqual([])
})
