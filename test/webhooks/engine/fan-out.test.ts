import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EVENT_BODY_LENGTH_MAX, eventBody } from '../../../src/events/events.repository.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import {
  deliveriesOf,
  drain,
  newEngine,
  newEvent,
  newEvents,
  newWebhook,
  paidEventData,
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
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const hook = (fields?: object) => newWebhook(app, seller, server.url('/status/200'), fields)
const typesOf = async (id: string) => (await deliveriesOf(app, id)).map(({ event_type: type }) => type)

const insertEvent = 'insert into events (seller_id, id, type, body, created_at) values ($1, $2, $3, $4, now())'
const bodyOf = (id: string) => eventBody(id, { type: 'payment.paid', data: paidEventData() }, app.clock.now())

test('an event that was rolled back is never delivered', async () => {
  const id = await hook()
  const failing = app.services.transact(async (tx) => {
    await tx.events.add([{ type: 'payment.paid', sellerId: seller.id, data: paidEventData() }], app.clock.now())
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toEqual([])
})

test('an event that is too long to be sent stops the work that it tells of, not its delivery', async () => {
  const id = await hook()
  const data = { ...paidEventData(), description: 'x'.repeat(EVENT_BODY_LENGTH_MAX) }
  const written = app.services.transact((tx) =>
    tx.events.add([{ type: 'payment.paid', sellerId: seller.id, data }], app.clock.now()),
  )
  await expect(written).rejects.toThrow('too long to be sent')
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toEqual([])
})

test('an event that committed before a crash is delivered by the next process', async () => {
  const id = await hook()
  const eventId = await newEvent(app, seller)
  expect(await deliveriesOf(app, id)).toEqual([])
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toMatchObject([{ event_id: eventId, status: 'succeeded' }])
})

test('a transaction that took its id first and commits last is not missed', async () => {
  const id = await hook()
  const early = app.services.newId()
  const late = app.services.newId()
  const slow = await app.sql.connect()
  await slow.query('begin')
  await slow.query(insertEvent, [seller.id, early, 'payment.paid', bodyOf(early)])
  await app.sql.query(insertEvent, [seller.id, late, 'payment.paid', bodyOf(late)])
  const engine = newEngine(app)
  await drain(engine)
  expect((await deliveriesOf(app, id)).map((row) => row.event_id)).toEqual([late])
  await slow.query('commit')
  slow.release()
  await drain(engine)
  expect((await deliveriesOf(app, id)).map((row) => row.event_id).sort()).toEqual([early, late])
})

test('an event whose transaction stayed open for an hour is not missed, and the fan-out says how late it is', async () => {
  const id = await hook()
  const engine = newEngine(app)
  const lagSeconds = async () => (await app.services.findWebhookBacklog()).fanOutLagSeconds
  const early = app.services.newId()
  const slow = await app.sql.connect()
  await slow.query('begin')
  await slow.query('insert into events (seller_id, id, type, body, created_at) values ($1, $2, $3, $4, $5)', [
    seller.id,
    early,
    'payment.paid',
    bodyOf(early),
    app.clock.now(),
  ])
  for (let minute = 0; minute < 60; minute += 1) {
    app.clock.setOffsetMs(minute * 60_000)
    await newEvents(app, seller, 10)
    await drain(engine)
  }
  expect(await deliveriesOf(app, id)).toHaveLength(600)
  expect(await lagSeconds()).toBe(0)
  await slow.query('commit')
  slow.release()
  expect(await lagSeconds()).toBeGreaterThan(59 * 60 - 1)
  await drain(engine)
  const rows = await deliveriesOf(app, id)
  expect(await lagSeconds()).toBe(0)
  expect([rows.length, rows.filter(({ event_id }) => event_id === early).length]).toEqual([601, 1])
  expect(rows.every(({ status }) => status === 'succeeded')).toBe(true)
  app.clock.setOffsetMs(0)
})

test('a webhook hears what it listens to, and every webhook hears by itself', async () => {
  const all = await hook()
  const area = await hook({ events: ['payment.*'] })
  const one = await hook({ events: ['payment.refunded', 'withdrawal.completed'] })
  for (const type of ['payment.paid', 'payment.refunded', 'payment_link.completed']) {
    const eventId = await newEvent(app, seller)
    await app.sql.query('update events set type = $2 where id = $1', [eventId, type])
  }
  await drain(newEngine(app))
  expect(await typesOf(all)).toEqual(['payment.paid', 'payment.refunded', 'payment_link.completed'])
  expect(await typesOf(area)).toEqual(['payment.paid', 'payment.refunded'])
  expect(await typesOf(one)).toEqual(['payment.refunded'])
})

test('a webhook made after an event does not hear of it, not even when the fan-out comes later', async () => {
  await hook()
  const before = await newEvent(app, seller)
  await app.sql.query("update events set created_at = created_at - interval '1 millisecond' where id = $1", [before])
  const id = await hook()
  const after = await newEvent(app, seller)
  await drain(newEngine(app))
  expect((await deliveriesOf(app, id)).map((row) => row.event_id)).toEqual([after])
})

test('another seller hears nothing', async () => {
  const id = await hook()
  await newEvent(app, await registerSeller(app))
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toEqual([])
})

test('a paused webhook keeps what it hears until it is enabled', async () => {
  const id = await hook()
  const set = (status: string) => app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body: { status } })
  await set('paused')
  await newEvent(app, seller)
  await drain(newEngine(app))
  expect(server.requests).toHaveLength(0)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'pending', attempts_made: 0 }])
  await set('enabled')
  await drain(newEngine(app))
  expect(server.requests).toHaveLength(1)
})

test('engines that fan out and send at once make each delivery once', async () => {
  const id = await hook()
  await newEvents(app, seller, 1_200)
  await Promise.all([newEngine(app), newEngine(app), newEngine(app)].map(drain))
  await drain(newEngine(app))
  const deliveries = await deliveriesOf(app, id)
  expect(deliveries).toHaveLength(1_200)
  expect(deliveries.every(({ status, attempts_made: made }) => status === 'succeeded' && made === 1)).toBe(true)
  expect(new Set(server.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1_200)
  expect(server.requests).toHaveLength(1_200)
})

test('a webhook that is deleted while its deliveries are being made gets none', async () => {
  const id = await hook()
  await newEvent(app, seller)
  let deleting: Promise<{ status: number }> | undefined
  const { fanOut } = newEngine(app, {
    newId: () => {
      // The fan-out knows its listeners by now, and has written nothing yet.
      deleting ??= app.api.delete(`seller-webhooks/${id}`, { token: seller.token })
      return app.services.newId()
    },
    transact: (work) =>
      app.services.transact((tx) =>
        work(
          Object.create(tx, {
            webhookDeliveries: {
              value: {
                ...tx.webhookDeliveries,
                insertDue: async (deliveries: Parameters<typeof tx.webhookDeliveries.insertDue>[0]) => {
                  await deleting
                  await tx.webhookDeliveries.insertDue(deliveries)
                },
              },
            },
          }),
        ),
      ),
  })
  await fanOut.runOnce()
  expect(await deleting).toMatchObject({ status: 204 })
  expect(await deliveriesOf(app, id)).toEqual([])
})
