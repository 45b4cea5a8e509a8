import { hash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import {
  attemptsOf,
  deliveriesOf,
  drain,
  endpointOf,
  makeDue,
  newEngine,
  newEvent,
  newWebhook,
} from '../../support/webhooks.ts'

let app: TestApp
let server: FaultServer
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  server = await createFaultServer()
  seller = await registerSeller(app)
})
afterEach(async () => {
  server.requests.length = 0
  await app.sql.query('update seller_webhooks set deleted_at = now() where deleted_at is null')
  await app.sql.query("update webhook_deliveries set status = 'canceled' where status = 'pending'")
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const secretOf = async (id: string): Promise<string> =>
  (await app.api.get(`seller-webhooks/${id}/secret`, { token: seller.token })).body.secret

test('what arrives is the stored text byte for byte, signed, under the id of its event', async () => {
  const id = await newWebhook(app, seller, server.url('/status/204'))
  const eventId = await newEvent(app, seller, { note: 'açaí \u{1f600}' })
  await drain(newEngine(app))
  const [request] = server.requests
  const { rows } = await app.sql.query('select body from events where id = $1', [eventId])
  expect(request?.body.equals(Buffer.from(rows[0].body))).toBe(true)
  expect(request?.headers).toMatchObject({ 'webhook-id': eventId, 'content-type': 'application/json' })
  expect(request?.headers['user-agent']).toMatch(/^payment-platform-webhooks\//)
  const verified = new Webhook(await secretOf(id)).verify(request?.body.toString() ?? '', { ...request?.headers })
  expect(verified).toMatchObject({ id: eventId, type: 'payment.paid', data: { metadata: { note: 'açaí \u{1f600}' } } })
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts_made: 1, lease_token: null }])
  const bodySha256 = hash('sha256', request?.body ?? '')
  expect(await attemptsOf(app, id)).toMatchObject([
    { attempt: 1, result: 'succeeded', response_status: 204, body_sha256: bodySha256 },
  ])
})

test('a retry keeps the id and the body, and has the timestamp of its own attempt', async () => {
  const id = await newWebhook(app, seller, server.url('/status/500'))
  const eventId = await newEvent(app, seller)
  let nowMs = Date.now()
  const engine = newEngine(app, { wallClock: { now: () => new Date(nowMs) } })
  await drain(engine)
  nowMs += 5_000
  await makeDue(app, id)
  await drain(engine)
  const [first, second] = server.requests
  expect(server.requests).toHaveLength(2)
  expect(second?.headers['webhook-id']).toBe(eventId)
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  const seconds = ({ headers } = first ?? { headers: {} as Record<string, string> }) =>
    Number(headers['webhook-timestamp'])
  expect(seconds(second) - seconds(first)).toBe(5)
  expect(new Webhook(await secretOf(id)).verify(second?.body.toString() ?? '', { ...second?.headers })).toBeTruthy()
})

test.each([200, 201, 204, 299])('%i is success', async (status) => {
  const id = await newWebhook(app, seller, server.url(`/status/${status}`))
  await newEvent(app, seller)
  await drain(newEngine(app))
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded' }])
})

test.each([301, 307, 400, 404, 500, 503])('%i is a failure that is tried again', async (status) => {
  const elsewhere = encodeURIComponent(server.url('/status/200'))
  const id = await newWebhook(app, seller, server.url(`/status/${status}?location=${elsewhere}`))
  await newEvent(app, seller)
  await drain(newEngine(app, { random: () => 0.5 }))
  const [delivery] = await deliveriesOf(app, id)
  expect(delivery).toMatchObject({ status: 'pending', attempts_made: 1 })
  expect(delivery?.wait_seconds).toBeGreaterThan(3)
  expect(delivery?.wait_seconds).toBeLessThan(6)
  expect(server.requests).toHaveLength(1)
  expect(await attemptsOf(app, id)).toMatchObject([{ result: 'rejected', response_status: status }])
})

test.each([
  ['/hang', 'timeout'],
  ['/headers-then-hang', 'timeout'],
  ['/close-before-answer', 'reset'],
  ['/http-0.9', 'protocol'],
])('%s is a failure by %s', async (path, reason) => {
  const id = await newWebhook(app, seller, server.url(path))
  await newEvent(app, seller)
  await drain(newEngine(app, { deadlineMs: 200 }))
  expect(await attemptsOf(app, id)).toMatchObject([{ result: reason, response_status: null }])
  expect(await endpointOf(app, id)).toMatchObject({ consecutive_failures: 1 })
})

test('an address that has become private is not called, and that is a failure', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await newEvent(app, seller)
  await drain(newEngine(app, { clientOptions: { allowedNetworks: [] } }))
  expect(server.requests).toHaveLength(0)
  expect(await attemptsOf(app, id)).toMatchObject([{ result: 'blocked_address', response_status: null }])
})

test('410 disables the endpoint: nothing more is sent, nothing is lost, and the seller’s others hear of it', async () => {
  const id = await newWebhook(app, seller, server.url('/status/410'), { events: ['payment.*'] })
  const other = await newWebhook(app, seller, server.url('/status/200'), { events: ['webhook.disabled'] })
  await newEvent(app, seller)
  await drain(newEngine(app))
  await newEvent(app, seller)
  await makeDue(app, id)
  await drain(newEngine(app))
  expect(server.requests.map(({ path }) => path)).toEqual(['/status/410', '/status/200'])
  expect(JSON.parse(server.requests[1]?.body.toString() ?? '')).toMatchObject({
    type: 'webhook.disabled',
    data: { id, status: 'disabled', statusReason: 'gone' },
  })
  expect(await endpointOf(app, id)).toMatchObject({ status: 'disabled', status_reason: 'gone' })
  expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['pending', 'pending'])
  const body = { status: 'enabled', url: server.url('/status/200') }
  await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })
  await makeDue(app, id)
  await drain(newEngine(app))
  expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  expect(await deliveriesOf(app, other)).toHaveLength(1)
})

test.each([
  ['30', 30, 31],
  ['1e9', 3, 7],
  ['-1', 3, 7],
  ['soon', 3, 7],
  ['999999999', 86_300, 86_401],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 3, 7],
])('Retry-After %s puts the next attempt %i to %i seconds away', async (value, least, most) => {
  const id = await newWebhook(app, seller, server.url(`/status/503?retry-after=${encodeURIComponent(value)}`))
  await newEvent(app, seller)
  await drain(newEngine(app, { random: () => 0 }))
  const [delivery] = await deliveriesOf(app, id)
  expect(delivery?.wait_seconds).toBeGreaterThan(least - 1)
  expect(delivery?.wait_seconds).toBeLessThan(most)
})

test('a date in Retry-After is honoured too, and no jitter comes before it', async () => {
  const at = new Date(Date.now() + 90_000).toUTCString()
  const id = await newWebhook(app, seller, server.url(`/status/429?retry-after=${encodeURIComponent(at)}`))
  await newEvent(app, seller)
  await drain(newEngine(app, { random: () => 0 }))
  const [delivery] = await deliveriesOf(app, id)
  expect(delivery?.wait_seconds).toBeGreaterThan(85)
  expect(delivery?.wait_seconds).toBeLessThan(91)
})

test.each([10, -10])('a worker whose clock is %i minutes off keeps the schedule of the database', async (minutes) => {
  const id = await newWebhook(app, seller, server.url('/status/500'))
  await newEvent(app, seller)
  const wallClock = { now: () => new Date(Date.now() + minutes * 60_000) }
  await drain(newEngine(app, { wallClock, random: () => 0.5 }))
  const [delivery] = await deliveriesOf(app, id)
  expect(delivery?.wait_seconds).toBeGreaterThan(3)
  expect(delivery?.wait_seconds).toBeLessThan(6)
  const signedAt = Number(server.requests[0]?.headers['webhook-timestamp']) * 1_000
  expect(Math.abs(signedAt - wallClock.now().getTime())).toBeLessThan(30_000)
})

test('after the tenth failure there is no further attempt', async () => {
  const id = await newWebhook(app, seller, server.url('/status/404'))
  await newEvent(app, seller)
  const engine = newEngine(app)
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await drain(engine)
    await makeDue(app, id)
  }
  expect(server.requests).toHaveLength(10)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'failed', attempts_made: 10, next_attempt_at: null }])
})

test('during a rotation both secrets sign, afterwards the new one alone', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const oldSecret = await secretOf(id)
  const rotated = await app.api.post(`seller-webhooks/${id}/secret/rotate`, { token: seller.token })
  const verify = (secret: string, index: number) => {
    const { body, headers } = server.requests[index] ?? { body: '', headers: {} }
    return () => new Webhook(secret).verify(body.toString(), { ...headers })
  }
  await newEvent(app, seller)
  await drain(newEngine(app))
  expect(verify(oldSecret, 0)).not.toThrow()
  expect(verify(rotated.body.secret, 0)).not.toThrow()
  await newEvent(app, seller)
  const dayLater = { now: () => new Date(Date.now() + 24 * 3_600_000) }
  await drain(newEngine(app, { wallClock: dayLater }))
  expect(server.requests[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
})

test('a secret that is rotated without an overlap signs nothing more, nor does any before it', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const rotate = (body?: object) => app.api.post(`seller-webhooks/${id}/secret/rotate`, { token: seller.token, body })
  await rotate()
  const { secret } = (await rotate({ overlapHours: 0 })).body
  await newEvent(app, seller)
  await drain(newEngine(app))
  const [request] = server.requests
  expect(request?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  expect(() => new Webhook(secret).verify(request?.body.toString() ?? '', { ...request?.headers })).not.toThrow()
})

test('an overlap lasts as long as the seller said', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  const body = { overlapHours: 2 }
  await app.api.post(`seller-webhooks/${id}/secret/rotate`, { token: seller.token, body })
  const signaturesAfter = async (hours: number) => {
    await newEvent(app, seller)
    await drain(newEngine(app, { wallClock: { now: () => new Date(Date.now() + hours * 3_600_000) } }))
    return server.requests.at(-1)?.headers['webhook-signature']?.split(' ').length
  }
  expect(await signaturesAfter(1.9)).toBe(2)
  expect(await signaturesAfter(2)).toBe(1)
})

test('a secret that cannot be opened burns no attempt', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await app.sql.query("update seller_webhooks set secret_sealed = 'v1.damaged' where id = $1", [id])
  await newEvent(app, seller)
  await drain(newEngine(app))
  expect(server.requests).toHaveLength(0)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'pending', attempts_made: 0, lease_token: null }])
})
