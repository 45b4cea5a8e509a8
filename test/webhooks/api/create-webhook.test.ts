import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(() => app.close())

const URL = 'https://198-51-100-7.example/hooks'
const create = (body: unknown, token: string | undefined = seller.token, headers = {}) =>
  app.api.post('seller-webhooks', { token, body, headers })
const countOf = async (sellerId: string) => {
  const { rows } = await app.sql.query(
    'select count(*)::int as count from seller_webhooks where seller_id = $1 and deleted_at is null',
    [sellerId],
  )
  return rows[0].count
}

test('201: exactly the id, and everything else from defaults', async () => {
  const answer = await create({ url: URL })
  expect(answer).toMatchObject({ status: 201, body: { id: expect.any(String) } })
  expect(Object.keys(answer.body)).toEqual(['id'])
  const { body } = await app.api.get(`seller-webhooks/${answer.body.id}`, { token: seller.token })
  expect(body).toEqual({
    id: answer.body.id,
    url: URL,
    events: ['*'],
    description: null,
    status: 'enabled',
    statusReason: null,
    failingSince: null,
    health: { state: 'working', reason: null, responseStatus: null, nextAttemptAt: null },
    createdAt: expect.any(String),
    updatedAt: body.createdAt,
  })
})

test('201: the secret is sealed at rest, and the act is in the audit log with the host alone', async () => {
  const { body } = await create({
    url: `${URL}?key=secret`,
    events: ['payment.*', 'payment.*'],
    description: 'Pedidos',
  })
  const { rows } = await app.sql.query('select * from seller_webhooks where id = $1', [body.id])
  expect(rows[0]).toMatchObject({ events: ['payment.*'], description: 'Pedidos' })
  expect(rows[0].secret_sealed).toMatch(/^v1\./)
  expect(rows[0].secret_sealed).not.toContain('whsec_')
  const audit = await app.sql.query('select * from audit_log where target_id = $1', [body.id])
  expect(audit.rows).toMatchObject([
    { action: 'webhook.create', actor_id: seller.id, after: { host: new globalThis.URL(URL).hostname } },
  ])
  expect(JSON.stringify(audit.rows)).not.toContain('secret')
})

test('201: a repeated Idempotency-Key answers with the first webhook', async () => {
  const other = await registerSeller(app)
  const headers = { 'idempotency-key': 'first' }
  const first = await create({ url: URL }, other.token, headers)
  const second = await create({ url: URL }, other.token, headers)
  expect(second).toMatchObject({ status: 201, body: first.body })
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await countOf(other.id)).toBe(1)
})

test.each([
  ['ftp://example.com/', 'scheme_not_allowed'],
  ['not a url', 'invalid_url'],
  ['https://user:pass@example.com/', 'credentials_not_allowed'],
  ['https://example.com/#part', 'fragment_not_allowed'],
  ['https://10.0.0.1/', 'blocked_address'],
  ['http://169.254.169.254/latest/meta-data', 'blocked_address'],
  ['http://[fd00::1]/', 'blocked_address'],
  ['http://0xa000001/', 'blocked_address'],
])('400: %s is refused by %s', async (url, code) => {
  const answer = await create({ url })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'validation.failed', errors: [{ in: 'body', path: 'url', code }] },
  })
})

test('400: an unknown event, an unknown field and a missing URL are named at once', async () => {
  const answer = await create({ events: ['payment.paid', 'payment.unknown'], status: 'enabled' })
  expect(answer.status).toBe(400)
  expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(
    expect.arrayContaining(['events.1', 'url']),
  )
})

test('401: without a token', async () => {
  expect(await app.api.post('seller-webhooks', { body: { url: URL } })).toMatchObject({
    status: 401,
    body: { code: 'auth.token_missing' },
  })
})

test('403: an administrator has no webhooks', async () => {
  expect((await create({ url: URL }, await adminToken(app))).status).toBe(403)
})

test('422: the eleventh is refused, also when many are asked for at once', async () => {
  const other = await registerSeller(app)
  const answers = await Promise.all(Array.from({ length: 14 }, () => create({ url: URL }, other.token)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status, body }) => status === 422 && body.code === 'webhook.limit_reached')).toHaveLength(4)
  expect(await countOf(other.id)).toBe(10)
  const { body } = await app.api.get('seller-webhooks', { token: other.token })
  await app.api.delete(`seller-webhooks/${body.data[0].id}`, { token: other.token })
  expect((await create({ url: URL }, other.token)).status).toBe(201)
})
