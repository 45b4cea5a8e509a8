import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type Arrivals, percentile, startArrivals } from '../support/arrivals.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { until } from '../support/until.ts'
import type { WebhookWorkerSettings } from '../support/webhook-worker.ts'
import { openWebhookWorkers, type WebhookWorkers } from '../support/webhook-worker-processes.ts'
import { newWebhook, paidEventData } from '../support/webhooks.ts'

const ROUNDS = 200
const WORKERS = 3
const SELLERS = 4
const ARRIVALS_OF_A_LIFE_MAX = 30
const LIFE_MAX_MS = 2_000
const COMMIT_EVERY_MS = 50
const LEASE_MS = 5_000
const DEADLINE_MS = 2_000

// What one dead worker may have sent without being able to say so: ten calls to each endpoint, and what was answered but
// waits for its batch or is being written with it.
const IN_FLIGHT_PER_ENDPOINT = 10
const SETTLE_BATCH = 200
const UNTOLD_MAX = SELLERS * IN_FLIGHT_PER_ENDPOINT + 2 * SETTLE_BATCH
/** How long before a kill an event may have arrived that comes again: what is settled by the end of its lease does not. */
const WINDOW_MS = DEADLINE_MS + LEASE_MS

let app: TestApp
let arrivals: Arrivals
let settings: WebhookWorkerSettings
let workers: WebhookWorkers

beforeAll(async () => {
  workers = await openWebhookWorkers()
  app = await startTestApp()
  arrivals = await startArrivals()
  const sellers: Seller[] = []
  for (let count = 0; count < SELLERS; count += 1) sellers.push(await registerSeller(app))
  for (const seller of sellers) await newWebhook(app, seller, arrivals.url)
  const { databaseUrl = '', encryptionKey } = app.config
  const sellerIds = sellers.map(({ id }) => id)
  settings = {
    databaseUrl,
    encryptionKey,
    sellerIds,
    eventsPerSecond: 200,
    deadlineMs: DEADLINE_MS,
    leaseMs: LEASE_MS,
    data: paidEventData(),
  }
})
afterAll(async () => {
  await workers.close()
  await arrivals.close()
  await app.close()
})

/** Commits events beside the workers, which all are to deliver. Answers what ends it. */
const keepCommitting = (): (() => Promise<void>) => {
  let ending = false
  const committing = (async () => {
    while (!ending) {
      const events = settings.sellerIds.map((sellerId) => ({
        type: 'payment.paid' as const,
        sellerId,
        data: settings.data,
      }))
      await app.services.transact((tx) => tx.events.add(events, app.clock.now()))
      await wait(COMMIT_EVERY_MS)
    }
  })()
  return () => {
    ending = true
    return committing
  }
}

/** Waits until a few more deliveries have come, so that the kill that follows meets a worker in its work. */
const someArrivals = async (): Promise<void> => {
  const enough = arrivals.count() + Math.ceil(Math.random() * ARRIVALS_OF_A_LIFE_MAX)
  const giveUpAt = performance.now() + LIFE_MAX_MS
  while (arrivals.count() < enough && performance.now() < giveUpAt) await wait(Math.random() * 5)
}

/** Lets workers live for a moment and kills them, several side by side, until there were enough. Answers when. */
const killRounds = async (): Promise<number[]> => {
  const kills: number[] = []
  let begun = 0
  const keepKilling = async (): Promise<void> => {
    while (begun < ROUNDS) {
      begun += 1
      const child = await workers.begin(settings)
      await someArrivals()
      kills.push(await workers.kill(child))
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, keepKilling))
  return kills
}

const committed = async (): Promise<string[]> => {
  const { rows } = await app.sql.query<{ id: string }>("select id from events where type = 'payment.paid'")
  return rows.map(({ id }) => id)
}

// However much waits on a slow machine: as long as more of it comes, it is under way.
const everythingHasArrived = async (ids: readonly string[]): Promise<void> => {
  while (!ids.every((id) => arrivals.byEvent.has(id))) {
    const known = arrivals.count()
    await until('more has arrived', () => arrivals.count() > known, LEASE_MS + 60_000)
  }
}

/** How long before the next kill each event had arrived that came again. */
const untoldFor = (kills: readonly number[]): number[] =>
  [...arrivals.byEvent.values()].flatMap((times) =>
    times.slice(0, -1).map((time) => Math.min(...kills.filter((at) => at >= time - 5).map((at) => at - time))),
  )

test('200 workers killed under load: every committed event arrives, and comes again only around a kill', {
  timeout: 540_000,
}, async () => {
  const stopCommitting = keepCommitting()
  const kills = await killRounds()
  await stopCommitting()
  const ids = await committed()
  const last = await workers.begin({ ...settings, eventsPerSecond: 0 })
  await everythingHasArrived(ids)
  const settledAfterMs = Math.max(...[...arrivals.byEvent.values()].flat()) - Math.max(...kills)
  await until('nothing waits any more', async () => {
    const { rows } = await app.sql.query("select from webhook_deliveries where status <> 'succeeded' limit 1")
    return rows.length === 0
  })
  await workers.kill(last)

  const untold = untoldFor(kills)
  process.stdout.write(
    `${JSON.stringify({
      kills: kills.length,
      committed: ids.length,
      arrived: arrivals.byEvent.size,
      duplicates: untold.length,
      duplicatesPerKill: untold.length / kills.length,
      duplicateBeforeKillMs: { p50: percentile(untold, 0.5), p99: percentile(untold, 0.99), max: Math.max(...untold) },
      settledAfterMs,
    })}\n`,
  )
  expect(kills).toHaveLength(ROUNDS)
  expect(ids.length).toBeGreaterThan(ROUNDS * 5)
  // Nothing was sent that was not committed.
  expect(arrivals.byEvent.size).toBe(ids.length)
  expect(untold.length).toBeGreaterThan(0)
  expect(untold.length).toBeLessThanOrEqual(ROUNDS * UNTOLD_MAX)
  expect(Math.max(...untold)).toBeLessThan(WINDOW_MS)
})
