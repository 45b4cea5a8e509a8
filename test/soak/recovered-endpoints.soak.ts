import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox } from '../../src/crypto/secret-box.ts'
import { startWebhookDispatcher } from '../../src/webhooks/engine/dispatcher.ts'
import { newWebhookSecret } from '../../src/webhooks/signature.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type Arrivals, startArrivals } from '../support/arrivals.ts'
import { until } from '../support/until.ts'
import { newEngine, paidEventData } from '../support/webhooks.ts'

const ENDPOINTS = 2_000
const EVENTS_EACH = 3
/** What one worker holds at a time: src/webhooks/engine/engine.ts. */
const HELD_MAX = 1_000
const ARRIVED_WITHIN_MS = 120_000
// Nobody listens there: every call is refused at once.
const DEAD_URL = 'http://127.0.0.1:9/hooks'

let app: TestApp
let arrivals: Arrivals

beforeAll(async () => {
  app = await startTestApp()
  arrivals = await startArrivals()
})
afterAll(async () => {
  await arrivals.close()
  await app.close()
})

const insertEndpoints = async (): Promise<string[]> => {
  const sellerIds = Array.from({ length: ENDPOINTS }, () => app.services.newId())
  const sealed = createSecretBox(Buffer.from(app.config.encryptionKey)).seal(newWebhookSecret())
  await app.sql.query(
    `insert into seller_webhooks (seller_id, id, url, events, status, secret_sealed, created_at, updated_at)
     select seller_id, seller_id, $2, '{*}', 'enabled', $3, now() - interval '1 hour', now()
     from unnest($1::uuid[]) as seller_id`,
    [sellerIds, DEAD_URL, sealed],
  )
  return sellerIds
}

const start = (engine: ReturnType<typeof newEngine>) =>
  startWebhookDispatcher({ engine, signal: app.services.eventSignal, logger: app.services.logger })

const countOf = async (condition: string): Promise<number> => {
  const { rows } = await app.sql.query(`select count(*)::int as found from webhook_deliveries where ${condition}`)
  return rows[0].found
}

test('two thousand endpoints that were dead and come back at once get everything, and no worker holds more than its share', {
  timeout: 540_000,
}, async () => {
  const sellerIds = await insertEndpoints()
  const data = paidEventData()
  for (let round = 0; round < EVENTS_EACH; round += 1) {
    const events = sellerIds.map((sellerId) => ({ type: 'payment.paid' as const, sellerId, data }))
    await app.services.transact((tx) => tx.events.add(events, app.clock.now()))
  }
  const total = ENDPOINTS * EVENTS_EACH
  const first = start(newEngine(app))
  await until('all were tried', async () => (await countOf('attempts_made > 0')) === total, ARRIVED_WITHIN_MS)
  await first.stop()
  expect(arrivals.count()).toBe(0)

  // Everything that waits is due at the same moment, as after an outage of a host that all of them share.
  await app.sql.query('update webhook_deliveries set next_attempt_at = now()')
  await app.sql.query('update seller_webhooks set url = $1, breaker_open_until = null, next_due_at = now()', [
    arrivals.url,
  ])
  const engine = newEngine(app)
  const underWay: number[] = []
  const watching = setInterval(() => underWay.push(engine.inFlightCount()), 10)
  const began = performance.now()
  const second = start(engine)
  await until('all have arrived', async () => (await countOf("status = 'succeeded'")) === total, ARRIVED_WITHIN_MS)
  const seconds = (performance.now() - began) / 1_000
  await second.stop()
  clearInterval(watching)
  const underWayMax = Math.max(...underWay)
  process.stdout.write(`${JSON.stringify({ endpoints: ENDPOINTS, recovered: total, seconds, underWayMax })}\n`)
  expect(arrivals.byEvent.size).toBe(total)
  expect(arrivals.count()).toBe(total)
  expect(underWayMax).toBeGreaterThan(0)
  expect(underWayMax).toBeLessThanOrEqual(HELD_MAX)
})
