import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSignal } from '../../../src/signal.ts'
import { startWebhookDispatcher } from '../../../src/webhooks/engine/dispatcher.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import { until } from '../../support/until.ts'
import { deliveriesOf, endpointOf, newEngine, newEvent, newEvents, newWebhook } from '../../support/webhooks.ts'

let app: TestApp
let server: FaultServer
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  server = await createFaultServer()
})
beforeEach(async () => {
  seller = await registerSeller(app)
  server.requests.length = 0
  await app.sql.query('update seller_webhooks set deleted_at = now() where deleted_at is null')
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const NEVER_MS = 600_000

type Options = Parameters<typeof newEngine>[1] & { hearsCommits?: boolean; pollMs?: number }

const start = ({ hearsCommits = true, pollMs = 100, ...options }: Options = {}) => {
  // Without the app's own signal it is a dispatcher in another process.
  const signal = hearsCommits ? app.services.eventSignal : createSignal()
  return startWebhookDispatcher({ engine: newEngine(app, options), signal, logger: app.services.logger, pollMs })
}

test('a commit of this process wakes the dispatcher, which need not poll for it', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const dispatcher = start({ pollMs: NEVER_MS })
  await newEvent(app, seller)
  await until('it is delivered', async () => (await deliveriesOf(app, id))[0]?.status === 'succeeded')
  await app.api.post(`seller-webhooks/${id}/test`, { token: seller.token })
  await until('the test is delivered', async () => (await deliveriesOf(app, id))[1]?.status === 'succeeded')
  await dispatcher.stop()
})

test('a commit of another process is found by polling', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const dispatcher = start({ hearsCommits: false })
  await newEvent(app, seller)
  await until('it is delivered', async () => (await deliveriesOf(app, id))[0]?.status === 'succeeded')
  await dispatcher.stop()
})

test('two dispatchers at once deliver everything once', async () => {
  const hooks = await Promise.all([1, 2, 3].map(() => newWebhook(app, seller, server.url('/status/200'))))
  const dispatchers = [start(), start({ hearsCommits: false })]
  for (let batch = 0; batch < 3; batch += 1) await newEvents(app, seller, 40)
  await until('all are delivered', async () => {
    const rows = await Promise.all(hooks.map((id) => deliveriesOf(app, id)))
    return rows.every((all) => all.length === 120 && all.every(({ status }) => status === 'succeeded'))
  })
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
  expect(server.requests).toHaveLength(360)
  expect(await endpointOf(app, hooks[0] ?? '')).toMatchObject({ next_due_at: null })
})

test('stopping lets a call under way end and gives the rest back at once', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  // A pace at which more is held than may be sent at once.
  const warm = newEngine(app, { deadlineMs: 700 })
  await newEvents(app, seller, 30)
  await until('the endpoint is known to be fast', async () => {
    await warm.runOnce()
    return server.requests.length === 30
  })
  await app.sql.query('update seller_webhooks set url = $2 where id = $1', [id, server.url('/hang')])
  await newEvents(app, seller, 50)
  const dispatcher = startWebhookDispatcher({
    engine: warm,
    signal: app.services.eventSignal,
    logger: app.services.logger,
  })
  await until('ten calls are under way', () => server.requests.length === 40)
  await dispatcher.stop()
  const rows = (await deliveriesOf(app, id)).slice(30)
  expect(rows).toHaveLength(50)
  expect(rows.every(({ status, lease_token: token }) => status === 'pending' && token === null)).toBe(true)
  expect(rows.filter(({ attempts_made: made }) => made === 1)).toHaveLength(10)
  expect(server.requests).toHaveLength(40)
})

test('a stop that may not wait leaves the calls under way to the end of their leases', async () => {
  const id = await newWebhook(app, seller, server.url('/hang'))
  const dispatcher = start()
  await newEvent(app, seller)
  await until('the call is under way', () => server.requests.length === 1)
  const startedAt = performance.now()
  await dispatcher.stop(50)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  const [delivery] = await deliveriesOf(app, id)
  expect(delivery).toMatchObject({ status: 'pending', attempts_made: 0 })
  expect(delivery?.lease_token).not.toBeNull()
  expect(delivery?.wait_seconds).toBeLessThanOrEqual(30)
})

test('a dispatcher that was stopped can be followed by another one', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await start().stop()
  await newEvent(app, seller)
  const next = start()
  await until('it is delivered', async () => (await deliveriesOf(app, id))[0]?.status === 'succeeded')
  await next.stop()
})

test('connections that end in the middle of the work cost no delivery', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const dispatcher = start()
  const endAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  for (let round = 0; round < 4; round += 1) {
    await newEvents(app, seller, 60)
    await until('some of it has arrived', () => server.requests.length > round * 60)
    await app.sql.query(endAll)
  }
  await until('everything is recorded', async () => {
    const all = await deliveriesOf(app, id).catch(() => [])
    return all.length === 240 && all.every(({ status }) => status === 'succeeded')
  })
  await dispatcher.stop()
  expect(new Set(server.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(240)
})
