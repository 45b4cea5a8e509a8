import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRecover } from '../../../src/webhooks/engine/recover.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import { deliveriesOf, drain, newEngine, newEvent, newEvents, newWebhook } from '../../support/webhooks.ts'

const DAY_MS = 86_400_000

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
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const hourAgo = () => new Date(app.clock.now().getTime() - 3_600_000).toISOString()
const recover = (id: string, since: string) =>
  app.api.post(`seller-webhooks/${id}/recover`, { token: seller.token, body: { since } })
const progressOf = async (id: string) => {
  const { rows } = await app.sql.query('select * from webhook_recoveries where webhook_id = $1', [id])
  return rows[0]
}

test('events from before the webhook was made arrive once it asks for them', async () => {
  const eventId = await newEvent(app, seller)
  await drain(newEngine(app))
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await recover(id, hourAgo())
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toMatchObject([{ event_id: eventId, status: 'succeeded', replay_number: 0 }])
  expect(await progressOf(id)).toMatchObject({ resent_count: 1 })
})

test('what was received or still waits is not sent again; what failed is, with the same id', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'), { events: ['payment.paid'] })
  await newEvents(app, seller, 3)
  await drain(newEngine(app))
  const [first, second] = await deliveriesOf(app, id)
  await app.sql.query("update webhook_deliveries set status = 'failed' where id = $1", [first?.id])
  await recover(id, hourAgo())
  await drain(newEngine(app))
  const after = await deliveriesOf(app, id)
  expect(after).toHaveLength(4)
  expect(after.at(-1)).toMatchObject({ event_id: first?.event_id, replay_number: 1, status: 'succeeded' })
  expect(after.filter(({ event_id: eventId }) => eventId === second?.event_id)).toHaveLength(1)
  expect(server.requests.at(-1)?.headers['webhook-id']).toBe(first?.event_id)
})

test('an interrupted recovery goes on where it was, without gap or double', async () => {
  await newEvents(app, seller, 95)
  await drain(newEngine(app))
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await recover(id, hourAgo())
  const small = { transact: app.services.transact, clock: app.services.clock, newId: app.services.newId, batchMax: 10 }
  for (let batch = 0; batch < 3; batch += 1) await createRecover(small).runOnce()
  const dying = {
    ...small,
    newId: () => {
      throw new Error('the process dies')
    },
  }
  await expect(createRecover(dying).runOnce()).rejects.toThrow('the process dies')
  expect(await progressOf(id)).toMatchObject({ resent_count: 30, finished_at: null })
  await Promise.all([drain(createRecover(small)), drain(createRecover(small))])
  await drain(createRecover(small))
  const deliveries = await deliveriesOf(app, id)
  expect(new Set(deliveries.map((row) => row.event_id)).size).toBe(95)
  expect(deliveries).toHaveLength(95)
  expect((await progressOf(id)).finished_at).not.toBeNull()
  await drain(newEngine(app))
})

test('only what the webhook listens to, and never a test event', async () => {
  const other = await newWebhook(app, seller, server.url('/status/200'))
  await app.api.post(`seller-webhooks/${other}/test`, { token: seller.token })
  await newEvents(app, seller, 2)
  await drain(newEngine(app))
  const all = await newWebhook(app, seller, server.url('/status/200'))
  const none = await newWebhook(app, seller, server.url('/status/200'), { events: ['withdrawal.*'] })
  await recover(all, hourAgo())
  await recover(none, hourAgo())
  await drain(newEngine(app))
  expect((await deliveriesOf(app, all)).map((row) => row.event_type)).toEqual(['payment.paid', 'payment.paid'])
  expect(await deliveriesOf(app, none)).toEqual([])
})

test('the recovery of a webhook that was deleted ends', async () => {
  await newEvents(app, seller, 2)
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await recover(id, hourAgo())
  await app.api.delete(`seller-webhooks/${id}`, { token: seller.token })
  await drain(newEngine(app))
  expect((await progressOf(id)).finished_at).not.toBeNull()
  expect(await deliveriesOf(app, id)).toEqual([])
})

test('deliveries of events older than 30 days go, and the events are no longer shown; younger ones stay', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const old = await newEvent(app, seller)
  await drain(newEngine(app))
  const offsetMs = app.clock.offsetMs()
  app.clock.setOffsetMs(offsetMs + 31 * DAY_MS)
  const young = await newEvent(app, seller)
  await drain(newEngine(app))
  await drain(app.services.jobs.purgeEvents)
  expect((await deliveriesOf(app, id)).map((row) => row.event_id)).toEqual([young])
  const shown = async (eventId: string) => (await app.api.get(`events/${eventId}`, { token: seller.token })).status
  expect([await shown(old), await shown(young)]).toEqual([404, 200])
  app.clock.setOffsetMs(offsetMs)
})

test('the backlog tells what waits and how late it is', async () => {
  await newWebhook(app, seller, server.url('/status/500'))
  await newEvent(app, seller)
  expect((await app.services.findWebhookBacklog()).fanOutLagSeconds).toBeGreaterThan(0)
  await newEngine(app).fanOut.runOnce()
  await app.sql.query(
    "update webhook_deliveries set next_attempt_at = now() - interval '1 hour' where status = 'pending'",
  )
  const backlog = await app.services.findWebhookBacklog()
  expect(backlog.pendingCount).toBeGreaterThan(0)
  expect(backlog.oldestDueSeconds).toBeGreaterThan(3_599)
  expect(backlog).toMatchObject({ fanOutLagSeconds: 0, breakersOpenCount: 0 })
})
