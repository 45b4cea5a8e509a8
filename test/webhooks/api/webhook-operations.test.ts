import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { deliveriesOf, newEvent, newWebhook } from '../../support/webhooks.ts'

let app: TestApp
let seller: Seller
let stranger: Seller
let admin: string
beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  stranger = await registerSeller(app)
  admin = await adminToken(app)
})
// The number of webhooks that a seller may have is not what these tests are about.
beforeEach(async () => {
  await app.sql.query('update seller_webhooks set deleted_at = now() where deleted_at is null')
})
afterAll(() => app.close())

const hook = (owner = seller) => newWebhook(app, owner, 'http://127.0.0.1:1/hooks')
const MISSING = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
const since = () => new Date(app.clock.now().getTime() - 60_000).toISOString()

const OPERATIONS = [
  ['get', ''],
  ['patch', '', { description: 'x' }],
  ['delete', ''],
  ['get', '/secret'],
  ['post', '/secret/rotate'],
  ['post', '/test'],
  ['get', '/deliveries'],
  ['post', `/deliveries/${MISSING}/resend`],
  ['post', '/recover', { since: new Date(Date.now() - 60_000).toISOString() }],
] as const

describe.each(OPERATIONS)('%s /seller-webhooks/{id}%s', (method, path, body?: object) => {
  const call = (id: string, token: string | undefined) =>
    app.api[method](`seller-webhooks/${id}${path}`, { token, ...(body === undefined ? {} : { body }) })

  test('401: without a token', async () => {
    expect((await call(MISSING, undefined)).status).toBe(401)
  })

  test('403: an administrator', async () => {
    expect((await call(MISSING, admin)).status).toBe(403)
  })

  test('400: an id that is none', async () => {
    expect(await call('not-an-id', seller.token)).toMatchObject({ status: 400, body: { code: 'validation.failed' } })
  })

  test("404: another seller's webhook looks exactly like a missing one", async () => {
    const foreign = await call(await hook(), stranger.token)
    const missing = await call(MISSING, stranger.token)
    expect(foreign).toMatchObject({ status: 404, body: { code: 'webhook.not_found' } })
    const { requestId: _one, ...foreignBody } = foreign.body
    const { requestId: _two, ...missingBody } = missing.body
    expect(foreignBody).toEqual(missingBody)
  })
})

test('200: the list holds one’s own live webhooks, newest first, and no secret', async () => {
  const owner = await registerSeller(app)
  const first = await hook(owner)
  const second = await hook(owner)
  const gone = await hook(owner)
  await app.api.delete(`seller-webhooks/${gone}`, { token: owner.token })
  const { status, body, text, headers } = await app.api.get('seller-webhooks?perPage=1', { token: owner.token })
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: [{ id: second }], totalRecords: 2, totalPages: 2, perPage: 1, currentPage: 1 })
  expect(headers.get('link')).toContain('rel="next"')
  expect(text).not.toMatch(/whsec_|secret/i)
  const next = await app.api.get('seller-webhooks?perPage=1&page=2', { token: owner.token })
  expect(next.body.data).toMatchObject([{ id: first }])
})

test('200: the list by state and period', async () => {
  const paused = await hook()
  const enabled = await hook()
  await app.api.patch(`seller-webhooks/${paused}`, { token: seller.token, body: { status: 'paused' } })
  const idsOf = async (query: string) => {
    const { body } = await app.api.get(`seller-webhooks?${query}`, { token: seller.token })
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await idsOf('status=paused')).toStrictEqual([paused])
  expect(await idsOf('status=enabled')).toStrictEqual([enabled])
  expect(await idsOf('status=paused&status=enabled')).toStrictEqual([enabled, paused])
  expect(await idsOf('to=2020-01-01')).toStrictEqual([])
  expect(await idsOf(`from=${encodeURIComponent(since())}`)).toStrictEqual([enabled, paused])
  expect((await app.api.get('seller-webhooks?status=broken', { token: seller.token })).status).toBe(400)
})

test('400: a list that begins before page 1', async () => {
  expect((await app.api.get('seller-webhooks?page=0', { token: seller.token })).status).toBe(400)
})

test('200: PATCH changes what is sent and leaves the rest', async () => {
  const id = await hook()
  const patch = (body: object) => app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })
  expect(await patch({ events: ['refund.*'], description: 'Estornos' })).toMatchObject({
    status: 200,
    body: { id, url: 'http://127.0.0.1:1/hooks', events: ['refund.*'], description: 'Estornos', status: 'enabled' },
  })
  expect((await patch({ description: null, status: 'paused' })).body).toMatchObject({
    events: ['refund.*'],
    description: null,
    status: 'paused',
  })
  const { rows } = await app.sql.query("select * from audit_log where target_id = $1 and action = 'webhook.update'", [
    id,
  ])
  expect(rows).toHaveLength(2)
})

test('400: PATCH refuses a private address, an unknown event and a state that is not the seller’s to set', async () => {
  const id = await hook()
  const patch = (body: object) => app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })
  expect(await patch({ url: 'http://10.1.2.3/' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'url', code: 'blocked_address' }] },
  })
  expect((await patch({ events: ['nothing.*'] })).status).toBe(400)
  expect((await patch({ events: [] })).status).toBe(400)
  expect((await patch({ status: 'disabled' })).status).toBe(400)
})

test('204: a deleted webhook is gone, and what waited for it canceled', async () => {
  const id = await hook()
  await app.api.post(`seller-webhooks/${id}/test`, { token: seller.token })
  expect((await app.api.delete(`seller-webhooks/${id}`, { token: seller.token })).status).toBe(204)
  expect((await app.api.get(`seller-webhooks/${id}`, { token: seller.token })).status).toBe(404)
  expect((await app.api.delete(`seller-webhooks/${id}`, { token: seller.token })).status).toBe(404)
  expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'canceled', next_attempt_at: null }])
})

test('200: the secret stays the same until it is rotated, and is kept out of caches', async () => {
  const id = await hook()
  const read = () => app.api.get(`seller-webhooks/${id}/secret`, { token: seller.token })
  const first = await read()
  expect(first).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) } })
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect((await read()).body).toEqual(first.body)
  const rotated = await app.api.post(`seller-webhooks/${id}/secret/rotate`, { token: seller.token })
  expect(rotated.status).toBe(200)
  expect(rotated.body.secret).not.toBe(first.body.secret)
  expect((await read()).body).toEqual(rotated.body)
  const { rows } = await app.sql.query(
    "select * from audit_log where target_id = $1 and action = 'webhook.rotate_secret'",
    [id],
  )
  expect(rows).toHaveLength(1)
  const reads = await app.sql.query(
    "select * from audit_log where target_id = $1 and action = 'webhook.read_secret' and actor_id = $2",
    [id, seller.id],
  )
  expect(reads.rowCount).toBe(3)
  expect(JSON.stringify([...rows, ...reads.rows])).not.toContain('whsec_')
})

test.each([-1, 169, 1.5, '24'])('400: an overlap of %s hours', async (overlapHours) => {
  const id = await hook()
  const answer = await app.api.post(`seller-webhooks/${id}/secret/rotate`, {
    token: seller.token,
    body: { overlapHours },
  })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'overlapHours' }] } })
})

test('202: a test goes to that webhook alone, whatever its filter, and is an event like any other', async () => {
  const owner = await registerSeller(app)
  const id = await newWebhook(app, owner, 'http://127.0.0.1:1/hooks', { events: ['refund.failed'] })
  const other = await hook(owner)
  const answer = await app.api.post(`seller-webhooks/${id}/test`, { token: owner.token })
  expect(answer).toMatchObject({
    status: 202,
    body: { webhookId: id, eventType: 'webhook.test', status: 'pending', attemptsMade: 0, attempts: [] },
  })
  await app.services.webhookEngine.fanOut.runOnce()
  expect(await deliveriesOf(app, other)).toEqual([])
  expect(await deliveriesOf(app, id)).toHaveLength(1)
  const event = await app.api.get(`events/${answer.body.eventId}`, { token: owner.token })
  expect(event.body).toMatchObject({ type: 'webhook.test', data: { id } })
})

test('202: the same Idempotency-Key sends one test', async () => {
  const id = await hook()
  const headers = { 'idempotency-key': 'a-test' }
  const first = await app.api.post(`seller-webhooks/${id}/test`, { token: seller.token, headers })
  const second = await app.api.post(`seller-webhooks/${id}/test`, { token: seller.token, headers })
  expect(second.body).toEqual(first.body)
  expect(await deliveriesOf(app, id)).toHaveLength(1)
})

test('200: deliveries with their attempts, by cursor, filtered by state', async () => {
  const owner = await registerSeller(app)
  const id = await hook(owner)
  for (let count = 0; count < 3; count += 1) await newEvent(app, owner)
  await app.services.webhookEngine.runOnce()
  const get = (path: string) => app.api.get(path, { token: owner.token })
  const first = await get(`seller-webhooks/${id}/deliveries?perPage=2`)
  expect(first.body).toMatchObject({ totalRecords: 3, totalPages: 2 })
  expect(first.body.data[0]).toEqual({
    id: expect.any(String),
    webhookId: id,
    eventId: expect.any(String),
    eventType: 'payment.paid',
    replayNumber: 0,
    status: 'pending',
    attemptsMade: 1,
    nextAttemptAt: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    attempts: [
      {
        attempt: 1,
        result: 'refused',
        responseStatus: null,
        responseSnippet: null,
        bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        durationMs: expect.any(Number),
        createdAt: expect.any(String),
      },
    ],
  })
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect(next).toContain('cursor=')
  const second = await get(next)
  expect(second.body.data).toHaveLength(1)
  expect(first.body.data.map((row: { id: string }) => row.id)).not.toContain(second.body.data[0].id)
  expect((await get(`seller-webhooks/${id}/deliveries?status=failed&status=canceled`)).body.totalRecords).toBe(0)
  expect((await get(`seller-webhooks/${id}/deliveries?status=nothing`)).status).toBe(400)
  expect((await get(`seller-webhooks/${id}/deliveries?cursor=broken`)).status).toBe(400)
})

test('202: a resend is a delivery of its own with the same event, counted up', async () => {
  const id = await hook()
  const { body: original } = await app.api.post(`seller-webhooks/${id}/test`, { token: seller.token })
  const resend = () => app.api.post(`seller-webhooks/${id}/deliveries/${original.id}/resend`, { token: seller.token })
  const answers = await Promise.all([resend(), resend()])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  expect(answers.map(({ body }) => body.replayNumber).sort()).toEqual([1, 2])
  expect(answers.every(({ body }) => body.eventId === original.eventId && body.id !== original.id)).toBe(true)
})

test("404: a delivery of another webhook, one's own or a stranger's", async () => {
  const id = await hook()
  const other = await hook()
  const { body } = await app.api.post(`seller-webhooks/${other}/test`, { token: seller.token })
  const answer = await app.api.post(`seller-webhooks/${id}/deliveries/${body.id}/resend`, { token: seller.token })
  expect(answer).toMatchObject({ status: 404, body: { code: 'webhook_delivery.not_found' } })
})

test('202: recover answers its progress, and the same again while it runs', async () => {
  const id = await hook()
  const body = { since: since() }
  const call = () => app.api.post(`seller-webhooks/${id}/recover`, { token: seller.token, body })
  const first = await call()
  expect(first).toMatchObject({
    status: 202,
    body: { webhookId: id, since: body.since, status: 'running', resentCount: 0 },
  })
  expect((await call()).body).toEqual(first.body)
})

test('409: a recovery from another time while one runs', async () => {
  const id = await hook()
  const call = (from: string) =>
    app.api.post(`seller-webhooks/${id}/recover`, { token: seller.token, body: { since: from } })
  await call(new Date(Date.now() - 3_600_000).toISOString())
  expect((await call(since())).body.code).toBe('webhook.recovery_running')
})

test.each([
  ['future', () => new Date(Date.now() + 3_600_000).toISOString(), 'too_big'],
  ['more than 30 days ago', () => new Date(Date.now() - 31 * 86_400_000).toISOString(), 'too_small'],
  ['no instant', () => 'yesterday', undefined],
])('400: recover since: %s', async (_name, from, code) => {
  const id = await hook()
  const answer = await app.api.post(`seller-webhooks/${id}/recover`, { token: seller.token, body: { since: from() } })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ in: 'body', path: 'since' }] } })
  if (code !== undefined) expect(answer.body.errors[0].code).toBe(code)
})
