import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import { until } from '../../support/until.ts'
import {
  attemptsOf,
  deliveriesOf,
  drain,
  endpointOf,
  makeDue,
  newEngine,
  newEvent,
  newEvents,
  newWebhook,
} from '../../support/webhooks.ts'

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

/** Claims what is due for a worker that never comes back. */
const abandon = async (leaseMs: number) => {
  const lease = { token: app.services.newId(), workerId: app.services.newId(), leaseMs }
  return app.services.transact(async (tx) => {
    const endpoints = await tx.webhookQueues.lockDue(10)
    const rooms = endpoints.map(({ sellerId, webhookId }) => ({ sellerId, webhookId, sharedMax: 10, ownMax: 10 }))
    const leased = await tx.webhookQueues.lease(rooms, lease, 100)
    await tx.webhookQueues.updateDue(rooms, lease.workerId)
    return { leased, token: lease.token }
  })
}

test('what a dead worker held is sent by another when the lease ends, and not before', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await newEvent(app, seller)
  const engine = newEngine(app)
  await engine.fanOut.runOnce()
  expect((await abandon(400)).leased).toHaveLength(1)
  await drain(engine)
  expect(server.requests).toHaveLength(0)
  await until('the delivery is sent again', async () => {
    await engine.runOnce()
    return server.requests.length === 1
  })
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts_made: 1 }])
})

test('a worker whose lease has passed to another changes nothing any more', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await newEvent(app, seller)
  const engine = newEngine(app)
  await engine.fanOut.runOnce()
  const stale = await abandon(1)
  await until('the delivery is sent by another', async () => {
    await engine.runOnce()
    return server.requests.length === 1
  })
  const [delivery] = stale.leased
  const attempt = {
    id: app.services.newId(),
    result: 'timeout',
    responseStatus: null,
    responseSnippet: null,
    durationMs: 1,
    bodySha256: '0'.repeat(64),
  }
  const recorded = await app.services.transact(async (tx) => {
    if (delivery === undefined) throw new Error('nothing was leased')
    const result = {
      ...delivery,
      leaseToken: stale.token,
      status: 'failed',
      delayMs: null,
      attemptsMade: 1,
      attempt,
    } as const
    return tx.webhookQueues.record([result])
  })
  expect(recorded.size).toBe(0)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded' }])
  expect(await attemptsOf(app, id)).toMatchObject([{ result: 'succeeded' }])
})

test('at most ten calls to one endpoint are under way, in all processes together', async () => {
  await newWebhook(app, seller, server.url('/hang'))
  await newEvents(app, seller, 60)
  const engines = [
    newEngine(app, { deadlineMs: 600 }),
    newEngine(app, { deadlineMs: 600 }),
    newEngine(app, { deadlineMs: 600 }),
  ]
  await engines[0]?.fanOut.runOnce()
  await Promise.all(engines.map((engine) => engine.claimAndSend()))
  await Promise.all(engines.map((engine) => engine.claimAndSend()))
  await until('ten calls have arrived', () => server.requests.length >= 10)
  expect(engines.map((engine) => engine.inFlightCount()).reduce((sum, count) => sum + count)).toBe(10)
  await Promise.all(engines.map((engine) => engine.stop()))
  expect(server.requests).toHaveLength(10)
})

test('a fast endpoint is handed more in advance, and still gets ten calls at once at most', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const engine = newEngine(app)
  await newEvents(app, seller, 100)
  await drain(engine)
  await newEvents(app, seller, 300)
  await engine.fanOut.runOnce()
  expect(await engine.claimAndSend()).toBeGreaterThan(10)
  expect(engine.inFlightCount()).toBeLessThanOrEqual(10)
  await until('all are delivered', async () => {
    await engine.runOnce()
    return (await deliveriesOf(app, id)).every(({ status }) => status === 'succeeded')
  })
  expect(server.requests).toHaveLength(400)
})

test('five failures open the breaker: what waits burns no attempt, and one probe closes it again', async () => {
  const id = await newWebhook(app, seller, server.url('/status/500'))
  await newEvents(app, seller, 40)
  const engine = newEngine(app)
  await drain(engine)
  const burnt = server.requests.length
  expect(burnt).toBeGreaterThanOrEqual(5)
  expect(burnt).toBeLessThanOrEqual(14)
  const endpoint = await endpointOf(app, id)
  expect(endpoint.open_seconds).toBeGreaterThan(25)
  expect(endpoint.open_seconds).toBeLessThanOrEqual(30)
  await newEvents(app, seller, 5)
  await drain(engine)
  expect(server.requests).toHaveLength(burnt)

  await makeDue(app, id)
  await drain(engine)
  expect(server.requests).toHaveLength(burnt + 1)
  expect((await endpointOf(app, id)).open_seconds).toBeGreaterThan(55)

  await app.sql.query('update seller_webhooks set url = $2 where id = $1', [id, server.url('/status/200')])
  await makeDue(app, id)
  await drain(engine)
  expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(Array(45).fill('succeeded'))
  expect(await endpointOf(app, id)).toMatchObject({
    consecutive_failures: 0,
    breaker_open_until: null,
    failing_since: null,
  })
})

test('five days without success disable an endpoint; enabling it goes on where it stopped', async () => {
  const id = await newWebhook(app, seller, server.url('/status/500'), { events: ['payment.*'] })
  await newEvent(app, seller)
  const engine = newEngine(app)
  await drain(engine)
  await app.sql.query(
    "update seller_webhooks set failing_since = now() - interval '5 days', failed_attempts = 30 where id = $1",
    [id],
  )
  await makeDue(app, id)
  await drain(engine)
  expect(await endpointOf(app, id)).toMatchObject({ status: 'disabled', status_reason: 'failing' })
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'pending', attempts_made: 2 }])
  const told = await app.api.get('events?type=webhook.disabled', { token: seller.token })
  const shown = await app.api.get(`seller-webhooks/${id}`, { token: seller.token })
  expect(told.body.data.map((event: { data: object }) => event.data)).toEqual([shown.body])
  expect(shown.body).toMatchObject({ status: 'disabled', statusReason: 'failing', failingSince: expect.any(String) })
  const body = { status: 'enabled', url: server.url('/status/200') }
  const answer = await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })
  expect(answer).toMatchObject({ status: 200, body: { status: 'enabled', statusReason: null } })
  await makeDue(app, id)
  await drain(engine)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts_made: 3 }])
})

test('a webhook that is deleted during a call stays deleted, and its deliveries canceled', async () => {
  const id = await newWebhook(app, seller, server.url('/hang'))
  await newEvents(app, seller, 15)
  const engine = newEngine(app, { deadlineMs: 500 })
  await engine.fanOut.runOnce()
  await engine.claimAndSend()
  await until('the calls have arrived', () => server.requests.length === 10)
  expect((await app.api.delete(`seller-webhooks/${id}`, { token: seller.token })).status).toBe(204)
  await drain(engine)
  expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(Array(15).fill('canceled'))
  expect(server.requests).toHaveLength(10)
})

test('a webhook that is paused, moved and given a new secret during a call is recorded, and goes on as changed', async () => {
  const id = await newWebhook(app, seller, server.url('/hang'))
  await newEvent(app, seller)
  const engine = newEngine(app, { deadlineMs: 500 })
  await engine.fanOut.runOnce()
  await engine.claimAndSend()
  await until('the call has arrived', () => server.requests.length === 1)
  const change = (body: object) => app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })
  await change({ status: 'paused', url: server.url('/status/200') })
  await app.api.post(`seller-webhooks/${id}/secret/rotate`, { token: seller.token })
  await drain(engine)
  expect(await attemptsOf(app, id)).toMatchObject([{ result: 'timeout' }])
  await makeDue(app, id)
  await drain(engine)
  expect(server.requests).toHaveLength(1)
  await change({ status: 'enabled' })
  await drain(engine)
  expect(server.requests[1]?.path).toBe('/status/200')
  expect(server.requests[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts_made: 2 }])
})

test('a hanging endpoint with much waiting does not hold up the others', async () => {
  const slow = await newWebhook(app, seller, server.url('/hang'))
  await newEvents(app, seller, 400)
  const engine = newEngine(app, { deadlineMs: 15_000 })
  await engine.fanOut.runOnce()
  await engine.claimAndSend()
  const others = await Promise.all([1, 2, 3].map(() => registerSeller(app)))
  const hooks = await Promise.all(others.map((other) => newWebhook(app, other, server.url('/status/200'))))
  for (const other of others) await newEvents(app, other, 100)
  await engine.fanOut.runOnce()
  await until('all others have what is theirs', async () => {
    await engine.claimAndSend()
    const { rows } = await app.sql.query(
      "select count(*)::int as done from webhook_deliveries where webhook_id = any($1) and status = 'succeeded'",
      [hooks],
    )
    return rows[0].done === 300
  })
  // All of that happened while the first ten calls of the hanging one were still under way.
  expect(await attemptsOf(app, slow)).toEqual([])
  expect(engine.inFlightCount()).toBe(10)
  await engine.stop(0)
})
