import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startTestApp, type TestApp } from '../support/app.ts'
import { type Arrivals, percentile, startArrivals } from '../support/arrivals.ts'
import type { Seller } from '../support/factories.ts'
import { sellingSeller } from '../support/payments.ts'
import { startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { newWebhook } from '../support/webhooks.ts'

const EVENTS = 100
const FIRST_ATTEMPT_WITHIN_MS = 250
const START_WITHIN_MS = 60_000

let app: TestApp
let arrivals: Arrivals
let seller: Seller
let environment: Record<string, string>

beforeAll(async () => {
  app = await startTestApp()
  arrivals = await startArrivals()
  seller = await sellingSeller(app)
  await newWebhook(app, seller, arrivals.url, { events: ['payment.created'] })
  const { databaseUrl = '', encryptionKey, jwtSecret, dataDir } = app.config
  environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    JWT_SECRET: jwtSecret,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
})
afterAll(async () => {
  await arrivals.close()
  await app.close()
})

/** Makes a payment and waits until its event has arrived. Answers how long after its writing that was. */
const oneByOne = async (api: Api): Promise<number> => {
  const known = arrivals.byEvent.size
  const answer = await api.post('payments', { token: seller.token, body: { method: 'pix', amount: 1_000 } })
  if (answer.status !== 201) throw new Error(answer.text)
  // The first of them waits for its process to start.
  await until('the event arrives', () => arrivals.byEvent.size > known, START_WITHIN_MS)
  const [id, [arrivedAt = 0] = []] = [...arrivals.byEvent].at(-1) ?? []
  const { rows } = await app.sql.query<{ created_at: Date }>('select created_at from events where id = $1', [id])
  return arrivedAt - (rows[0]?.created_at.getTime() ?? 0)
}

const measure = async (name: string, api: Api): Promise<number> => {
  for (let count = 0; count < 10; count += 1) await oneByOne(api)
  const latencies: number[] = []
  for (let count = 0; count < EVENTS; count += 1) latencies.push(await oneByOne(api))
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(latencies, share))
  process.stdout.write(`${JSON.stringify({ firstAttemptMs: name, p50, p90, p99 })}\n`)
  return p90 ?? 0
}

test('one process: the first attempt arrives within 250 ms of what it tells', async () => {
  const server = await startServer({ environment })
  try {
    expect(await measure('one process', server.api)).toBeLessThan(FIRST_ATTEMPT_WITHIN_MS)
  } finally {
    await server.stop()
  }
})
