import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyDailyTotals } from '../../src/daily-totals/daily-totals.verify.ts'
import { createDatabase } from '../../src/db/client.ts'
import { type PartitionedTable, partitionAt } from '../../src/db/partitions.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { postPayment, sellingSeller } from '../support/payments.ts'
import { recount } from '../support/reports.ts'
import { until } from '../support/until.ts'
import { newWebhook } from '../support/webhooks.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  // Whatever came before the first run of the jobs lies in the rest until then.
  seller = await sellingSeller(app)
  await purge()
  await app.services.jobs.cleanUp.runOnce()
})

afterAll(() => app.close())

const EVENTS: PartitionedTable = { name: 'events', key: 'id', every: 'month', columns: [] }
const ANSWERS: PartitionedTable = { name: 'idempotency_keys', key: 'created_at', every: 'day', columns: [] }

const moveTo = (instant: Date): void => app.clock.setOffsetMs(instant.getTime() - Date.now())
const later = (ms: number): void => moveTo(new Date(app.clock.now().getTime() + ms))

const partsOf = async (table: string): Promise<string[]> => {
  const { rows } = await app.sql.query(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

// How many rows of a table lie in each part.
const placesOf = async (table: string): Promise<Record<string, number>> => {
  const { rows } = await app.sql.query(
    `select tableoid::regclass::text as part, count(*)::int from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ part, count }) => [part, count]))
}

const purge = async (): Promise<void> => {
  while ((await app.services.jobs.purgeEvents.runOnce()) > 0);
}

const fanOut = async (): Promise<void> => {
  while ((await app.services.webhookEngine.fanOut.runOnce()) > 0);
}

const monthAfter = (months: number, ms = 0): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1) + ms)
}

test('months and days are cut in UTC, also over the end of a year and a leap day', () => {
  const december = new Date('2027-12-31T23:59:59.999Z')
  expect(partitionAt(EVENTS, december)).toEqual({
    name: 'events_p202712',
    from: new Date('2027-12-01T00:00:00Z'),
    to: new Date('2028-01-01T00:00:00Z'),
  })
  expect(partitionAt(EVENTS, december, 2).name).toBe('events_p202802')
  expect(partitionAt(ANSWERS, december, 1).name).toBe('idempotency_keys_p20280101')
  expect(partitionAt(ANSWERS, new Date('2028-02-28T12:00:00Z'), 1).to).toEqual(new Date('2028-03-01T00:00:00Z'))
})

test('events of both sides of a month’s end lie in their months, whatever the clock did before the months were made', async () => {
  // So far ahead that no part is there: the rows wait in the rest.
  moveTo(monthAfter(6, -10 * 60_000))
  await postPayment(app, seller)
  const before = await placesOf('events')
  expect(before.events_default).toBe(1)
  await purge()
  moveTo(monthAfter(6, 10 * 60_000))
  await postPayment(app, seller)
  const names = [partitionAt(EVENTS, monthAfter(5)).name, partitionAt(EVENTS, monthAfter(6)).name]
  const places = await placesOf('events')
  expect(names.map((name) => places[name])).toEqual([1, 1])
  expect(places.events_default).toBeUndefined()
  const { body } = await app.api.get('events?type=payment.created', { token: seller.token })
  expect([body.totalRecords, body.data.length]).toEqual([2, 2])
  expect(await verifyDailyTotals(createDatabase(app.sql))).toEqual([])
})

test('a month goes 30 days after its end, with its deliveries and its share of the sums, and not before', async () => {
  moveTo(monthAfter(6, HOUR_MS))
  const webhook = await newWebhook(app, seller, 'https://example.com/parts')
  await postPayment(app, seller)
  await fanOut()
  const month = partitionAt(EVENTS, monthAfter(6)).name
  moveTo(monthAfter(7, 30 * DAY_MS - HOUR_MS))
  await purge()
  expect(await partsOf('events')).toContain(month)
  const deliveries = async () =>
    (await app.sql.query('select count(*)::int from webhook_deliveries where webhook_id = $1', [webhook])).rows[0].count
  expect(await deliveries()).toBe(0)
  later(2 * HOUR_MS)
  await purge()
  expect(await partsOf('events')).not.toContain(month)
  expect(await partsOf('webhook_attempts')).not.toContain(month.replace('events', 'webhook_attempts'))
  expect(await partsOf('events')).toEqual(
    expect.arrayContaining([0, 1, 2].map((ahead) => partitionAt(EVENTS, app.clock.now(), ahead).name)),
  )
  expect(await verifyDailyTotals(createDatabase(app.sql))).toEqual([])
})

test('a month stays, however old, for as long as one of its events has no deliveries', async () => {
  moveTo(monthAfter(9, HOUR_MS))
  await fanOut()
  await purge()
  const month = partitionAt(EVENTS, monthAfter(9)).name
  await postPayment(app, seller)
  moveTo(monthAfter(11, DAY_MS))
  await purge()
  expect(await partsOf('events')).toContain(month)
  await fanOut()
  await purge()
  expect(await partsOf('events')).not.toContain(month)
  expect(await verifyDailyTotals(createDatabase(app.sql))).toEqual([])
})

test('a first answer is repeated over midnight and a month’s end, and stands once', async () => {
  moveTo(monthAfter(12, -30 * 60_000))
  const { status, body } = await postPayment(app, seller, { amount: 4_321 }, { key: 'over-midnight' })
  expect(status).toBe(201)
  moveTo(monthAfter(12, 30 * 60_000))
  await app.services.jobs.cleanUp.runOnce()
  const again = await postPayment(app, seller, { amount: 4_321 }, { key: 'over-midnight' })
  expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([body.id, 'true'])
  // After 24 hours the key is free, though its day is still there.
  moveTo(monthAfter(12, DAY_MS - 20 * 60_000))
  const anew = await postPayment(app, seller, { amount: 4_321 }, { key: 'over-midnight' })
  expect(anew.body.id).not.toBe(body.id)
  const { rows } = await app.sql.query("select created_at from idempotency_keys where key = 'over-midnight'")
  expect(rows).toHaveLength(1)
})

test('ten repeats at once around midnight make one payment', async () => {
  moveTo(monthAfter(13, -10 * 60_000))
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      if (index === 5) moveTo(monthAfter(13, 10 * 60_000))
      return postPayment(app, seller, { amount: 777 }, { key: 'at-midnight' })
    }),
  )
  const ids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])))
  expect(ids.size).toBe(1)
  const { rows } = await app.sql.query('select count(*)::int from payments where amount = 777')
  expect(rows[0].count).toBe(1)
})

test('days of first answers go when the last of their answers is 24 hours old', async () => {
  const day = partitionAt(ANSWERS, app.clock.now())
  await app.services.jobs.cleanUp.runOnce()
  await postPayment(app, seller, {}, { key: 'of-a-day' })
  expect((await placesOf('idempotency_keys'))[day.name]).toBeGreaterThan(0)
  moveTo(new Date(day.to.getTime() + 23 * HOUR_MS))
  await app.services.jobs.cleanUp.runOnce()
  expect(await partsOf('idempotency_keys')).toContain(day.name)
  later(2 * HOUR_MS)
  expect(await app.services.jobs.cleanUp.runOnce()).toBeGreaterThan(0)
  expect(await partsOf('idempotency_keys')).not.toContain(day.name)
})

test('rows that belong to no part go when they are old', async () => {
  const old = monthAfter(-9).toISOString()
  await app.sql.query(
    `insert into events (seller_id, id, type, body, created_at) values ($1, uuid_at($2), 'payment.paid', '{}', $2)`,
    [seller.id, old],
  )
  await app.sql.query('update events set fanned_out_at = created_at where id = uuid_at($1)', [old])
  await recount(app)
  const isThere = async () =>
    (await app.sql.query('select from events_default where id = uuid_at($1)', [old])).rowCount === 1
  expect(await isThere()).toBe(true)
  await purge()
  expect(await isThere()).toBe(false)
  expect(await verifyDailyTotals(createDatabase(app.sql))).toEqual([])
})

test('a payment whose event waits while its month is made is written into that month', async () => {
  moveTo(monthAfter(40, HOUR_MS))
  const table = { ...EVENTS, columns: ['seller_id', 'id'] }
  const part = partitionAt(table, app.clock.now())
  const making = await app.sql.connect()
  await making.query('begin')
  await making.query("select add_partition('events', 'id', $1, $2, $3)", [part.name, part.from, part.to])
  const posting = postPayment(app, seller)
  await until('the event waits for its month', async () => {
    const { rows } = await app.sql.query(
      "select count(*)::int from pg_locks where not granted and relation = 'events_default'::regclass",
    )
    return rows[0]?.count > 0
  })
  await making.query('commit')
  making.release()
  expect((await posting).status).toBe(201)
  expect((await placesOf('events'))[part.name]).toBe(1)
})
