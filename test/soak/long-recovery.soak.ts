import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type Arrivals, startArrivals } from '../support/arrivals.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { until } from '../support/until.ts'
import { openWebhookWorkers, type WebhookWorkers } from '../support/webhook-worker-processes.ts'
import { drain, newEngine, newWebhook, paidEventData } from '../support/webhooks.ts'

const EVENTS = 100_000
const EVENTS_PER_COMMIT = 1_000
const LIFE_MAX_MS = 400
const LEASE_MS = 5_000
const ARRIVED_WITHIN_MS = 60_000

let app: TestApp
let arrivals: Arrivals
let workers: WebhookWorkers
let seller: Seller

beforeAll(async () => {
  workers = await openWebhookWorkers()
  app = await startTestApp()
  arrivals = await startArrivals()
  seller = await registerSeller(app)
})
afterAll(async () => {
  await workers.close()
  await arrivals.close()
  await app.close()
})

const commitEvents = async (): Promise<void> => {
  const events = Array.from({ length: EVENTS_PER_COMMIT }, () => ({
    type: 'payment.paid' as const,
    sellerId: seller.id,
    data: paidEventData(),
  }))
  for (let count = 0; count < EVENTS; count += EVENTS_PER_COMMIT) {
    await app.services.transact((tx) => tx.events.add(events, app.clock.now()))
  }
  // Nobody hears of them: there is no webhook yet.
  await drain(newEngine(app).fanOut)
}

const progress = async (): Promise<{ resent: number; isFinished: boolean }> => {
  const { rows } = await app.sql.query(
    'select resent_count::int as resent, finished_at is not null as "isFinished" from webhook_recoveries',
  )
  return rows[0]
}

const deliveries = async () => {
  const { rows } = await app.sql.query(`
    select count(*)::int as made, count(distinct event_id)::int as events,
      count(*) filter (where status <> 'succeeded')::int as waiting from webhook_deliveries`)
  return rows[0]
}

test('a recovery of 100,000 events whose workers are killed again and again has no gap and no double', {
  timeout: 540_000,
}, async () => {
  await commitEvents()
  const webhookId = await newWebhook(app, seller, arrivals.url)
  const since = new Date(app.clock.now().getTime() - 3_600_000).toISOString()
  await app.api.post(`seller-webhooks/${webhookId}/recover`, { token: seller.token, body: { since } })
  const settings = {
    databaseUrl: app.config.databaseUrl ?? '',
    encryptionKey: app.config.encryptionKey,
    sellerIds: [seller.id],
    eventsPerSecond: 0,
    deadlineMs: 2_000,
    leaseMs: LEASE_MS,
    data: {},
  }

  let killedWithin = 0
  while (!(await progress()).isFinished) {
    const child = await workers.begin(settings)
    await wait(Math.random() * LIFE_MAX_MS)
    await workers.kill(child)
    const { resent, isFinished } = await progress()
    if (resent > 0 && !isFinished) killedWithin += 1
  }
  expect(await progress()).toStrictEqual({ resent: EVENTS, isFinished: true })
  expect(await deliveries()).toMatchObject({ made: EVENTS, events: EVENTS })

  const last = await workers.begin(settings)
  while ((await deliveries()).waiting > 0) {
    const known = arrivals.count()
    await until(
      'more has arrived',
      async () => arrivals.count() > known || (await deliveries()).waiting === 0,
      LEASE_MS + ARRIVED_WITHIN_MS,
    )
  }
  await workers.kill(last)
  const sentTwice = arrivals.count() - arrivals.byEvent.size
  process.stdout.write(
    `${JSON.stringify({ events: EVENTS, killedWithin, arrived: arrivals.byEvent.size, sentTwice })}\n`,
  )
  expect(arrivals.byEvent.size).toBe(EVENTS)
  expect(killedWithin).toBeGreaterThan(5)
})
