import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventBody } from '../../src/events/events.repository.ts'
import { startWebhookDispatcher } from '../../src/webhooks/engine/dispatcher.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type Arrivals, percentile, startArrivals } from '../support/arrivals.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { until } from '../support/until.ts'
import { newEngine, newEvents, newWebhook, paidEventData } from '../support/webhooks.ts'

const SECONDS = 60
const EVENTS_PER_COMMIT = 20
const COMMIT_EVERY_MS = 100
const LAG_MAX_SECONDS = 5

let app: TestApp
let arrivals: Arrivals
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  arrivals = await startArrivals()
  seller = await registerSeller(app)
})
afterAll(async () => {
  await arrivals.close()
  await app.close()
})

const lagSeconds = async () => (await app.services.findWebhookBacklog()).fanOutLagSeconds

/** Commits events at a steady pace, and looks each time how far the fan-out is behind. */
const keepCommitting = async (): Promise<number[]> => {
  const lags: number[] = []
  const endAt = performance.now() + SECONDS * 1_000
  while (performance.now() < endAt) {
    await newEvents(app, seller, EVENTS_PER_COMMIT)
    lags.push(await lagSeconds())
    await wait(COMMIT_EVERY_MS)
  }
  return lags
}

/** For how long each event was on its way, in the order in which they were made. */
const latenciesMs = async (): Promise<number[]> => {
  const { rows } = await app.sql.query<{ id: string; created_at: Date }>(
    'select id, created_at from events order by id',
  )
  return rows.map(
    ({ id, created_at: at }) => (arrivals.byEvent.get(id)?.[0] ?? Number.POSITIVE_INFINITY) - at.getTime(),
  )
}

test('a transaction that idles with an event of its own holds up no other, and its event arrives when it commits', async () => {
  await newWebhook(app, seller, arrivals.url)
  const early = app.services.newId()
  const idle = await app.sql.connect()
  await idle.query('begin')
  await idle.query('insert into events (seller_id, id, type, body, created_at) values ($1, $2, $3, $4, $5)', [
    seller.id,
    early,
    'payment.paid',
    eventBody(early, { type: 'payment.paid', data: paidEventData() }, app.clock.now()),
    app.clock.now(),
  ])
  const { eventSignal: signal, logger } = app.services
  const dispatcher = startWebhookDispatcher({ engine: newEngine(app), signal, logger })
  const lags = await keepCommitting()
  const committed = lags.length * EVENTS_PER_COMMIT
  await until('all others have arrived', () => arrivals.byEvent.size === committed, 60_000)
  expect(arrivals.byEvent.has(early)).toBe(false)

  const latencies = await latenciesMs()
  const third = Math.floor(latencies.length / 3)
  const p90Of = (part: readonly number[]) => Math.round(percentile(part, 0.9))
  const inParts = (values: readonly number[]) => [p90Of(values.slice(0, third)), p90Of(values.slice(-third))]
  const { rows: dead } = await app.sql.query(
    "select sum(n_dead_tup)::int as kept from pg_stat_user_tables where relname like 'events_p%' or relname = 'webhook_deliveries'",
  )
  await idle.query('commit')
  idle.release()
  await until('the late one has arrived', () => arrivals.byEvent.has(early))
  await dispatcher.stop()
  process.stdout.write(
    `${JSON.stringify({
      idleSeconds: SECONDS,
      committed,
      p90Ms: { firstThird: inParts(latencies)[0], lastThird: inParts(latencies)[1] },
      fanOutLagSecondsMax: Math.max(...lags),
      rowsKeptForIt: dead[0].kept,
    })}\n`,
  )
  expect(committed).toBeGreaterThan(SECONDS * EVENTS_PER_COMMIT)
  expect([...arrivals.byEvent.values()].every((times) => times.length === 1)).toBe(true)
  expect(Math.max(...lags)).toBeLessThan(LAG_MAX_SECONDS)
  expect(await lagSeconds()).toBe(0)
})
