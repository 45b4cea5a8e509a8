import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIRST_SCOPES } from '../../../src/domain/actor.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const get = (token?: string) => app.api.get('integrations/credentials', { token })
const put = (token: string | undefined, body: unknown) => app.api.put('integrations/credentials', { token, body })
const login = (clientId: string, clientSecret: string) =>
  app.api.post('integrations/login', { body: { clientId, clientSecret } })

test('200: the first call makes credentials without a secret, every other shows the same', async () => {
  const { token } = await registerSeller(app)
  const first = await get(token)
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.body).toStrictEqual({
    clientId: expect.stringMatching(/^cli_[0-9a-f]{32}$/),
    clientSecretLast4: null,
    scopes: [...FIRST_SCOPES],
    allowedIps: [],
    createdAt: expect.any(String),
    lastUsedAt: null,
    previousSecretValidUntil: null,
  })
  expect((await get(token)).body).toStrictEqual(first.body)
})

test('200: first calls at the same moment make one', async () => {
  const { id, token } = await registerSeller(app)
  const answers = await Promise.all(Array.from({ length: 6 }, () => get(token)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.clientId}`)).size).toBe(1)
  expect((await app.sql.query('select from api_credentials where seller_id = $1', [id])).rowCount).toBe(1)
})

test('200: a secret is shown once, when it is made, and only its hash is kept', async () => {
  const { id, token } = await registerSeller(app)
  const rotated = await put(token, { rotateSecret: true })
  expect(rotated.status).toBe(200)
  const { clientSecret, ...shown } = rotated.body
  expect(clientSecret).toMatch(/^sk_[\w-]{43}$/)
  expect(shown).toMatchObject({ clientSecretLast4: clientSecret.slice(-4), previousSecretValidUntil: null })
  expect((await get(token)).body).toStrictEqual(shown)
  expect(Object.keys((await put(token, {})).body)).not.toContain('clientSecret')
  const { rows } = await app.sql.query('select c::text as kept from api_credentials c where seller_id = $1', [id])
  expect(rows[0].kept).not.toContain(clientSecret)
  expect((await login(shown.clientId, clientSecret)).status).toBe(200)
  expect((await get(token)).body.lastUsedAt).toEqual(expect.any(String))
})

test('200: after a rotation the secret before works for 24 hours, the one before that no longer', async () => {
  const { id, token } = await registerSeller(app)
  const secrets: string[] = []
  for (let round = 0; round < 3; round += 1) secrets.push((await put(token, { rotateSecret: true })).body.clientSecret)
  const { clientId, previousSecretValidUntil } = (await get(token)).body
  const hours = (Date.parse(previousSecretValidUntil) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)
  const statuses = async () => {
    const answers = await Promise.all(secrets.map((secret) => login(clientId, secret)))
    return answers.map(({ status }) => status)
  }
  expect(await statuses()).toStrictEqual([401, 200, 200])
  await app.sql.query('update api_credentials set previous_secret_valid_until = now() where seller_id = $1', [id])
  expect(await statuses()).toStrictEqual([401, 401, 200])
  expect((await get(token)).body.previousSecretValidUntil).toBeNull()
})

test('200: rotations at the same moment leave the two that were last', async () => {
  const { token } = await registerSeller(app)
  const answers = await Promise.all(Array.from({ length: 4 }, () => put(token, { rotateSecret: true })))
  const logins = await Promise.all(answers.map(({ body }) => login(body.clientId, body.clientSecret)))
  expect(logins.map(({ status }) => status).sort()).toStrictEqual([200, 200, 401, 401])
})

test('200: what is not sent stays', async () => {
  const { token } = await registerSeller(app)
  await put(token, { scopes: ['balance:read'], allowedIps: ['203.0.113.7', '2001:DB8::/32'] })
  const { body } = await put(token, { scopes: ['balance:read', 'fees:read'] })
  expect(body).toMatchObject({ scopes: ['balance:read', 'fees:read'], allowedIps: ['203.0.113.7', '2001:db8::/32'] })
  expect((await put(token, { scopes: [], allowedIps: [] })).body).toMatchObject({ scopes: [], allowedIps: [] })
})

test('200: changes of credentials are in the audit log, without secrets', async () => {
  const { id, token } = await registerSeller(app)
  const { body } = await put(token, { scopes: ['balance:read'], rotateSecret: true })
  const { rows } = await app.sql.query('select * from audit_log where seller_id = $1', [id])
  expect(rows).toMatchObject([
    {
      actor_id: id,
      action: 'integration.update_credentials',
      after: { scopes: ['balance:read'], secretRotated: true },
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(body.clientSecret)
})

test('200: sellers have credentials of their own', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const [first, second] = [(await get(one.token)).body, (await get(other.token)).body]
  expect(first.clientId).not.toBe(second.clientId)
  await put(one.token, { scopes: [] })
  expect((await get(other.token)).body).toStrictEqual(second)
})

test('400: scopes and addresses that are none', async () => {
  const { token } = await registerSeller(app)
  const pathsOf = async (body: unknown) =>
    (await put(token, body)).body.errors.map(({ path }: { path: string }) => path)
  expect(await pathsOf({ scopes: ['admin'], rotateSecret: false, secret: 'x' })).toStrictEqual([
    'scopes.0',
    'rotateSecret',
    'secret',
  ])
  expect(await pathsOf({ scopes: ['balance:read', 'balance:read'] })).toStrictEqual(['scopes'])
  const addresses = [
    '10.0.0.0/33',
    'example.com',
    '1.2.3',
    '010.0.0.1/8/9',
    '',
    '2001:db8::/129',
    '127.1',
    '010.0.0.1',
    '127.1/8',
    '010.0.0.0/8',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
  ]
  expect(await pathsOf({ allowedIps: addresses })).toStrictEqual(addresses.map((_, index) => `allowedIps.${index}`))
  expect(await pathsOf({ allowedIps: Array(51).fill('10.0.0.1') })).toStrictEqual(['allowedIps'])
})

test('401 and 403: only sellers who logged in themselves', async () => {
  expect((await get()).status).toBe(401)
  expect((await put(undefined, {})).status).toBe(401)
  const admin = await adminToken(app)
  expect((await get(admin)).body.code).toBe('auth.forbidden')
  expect((await put(admin, {})).body.code).toBe('auth.forbidden')
  const { token } = await registerSeller(app)
  const { body } = await put(token, { rotateSecret: true })
  const api = (await login(body.clientId, body.clientSecret)).body.accessToken
  expect(await put(api, { rotateSecret: true })).toMatchObject({ status: 403, body: { code: 'auth.scope_missing' } })
  expect((await get(api)).body.code).toBe('auth.scope_missing')
})

test('403: new credentials do what taking payments needs, and the rest only once it is named', async () => {
  const { token } = await registerSeller(app)
  const { clientId, clientSecret } = (await put(token, { rotateSecret: true })).body
  const machine = async () =>
    (await app.api.post('integrations/login', { body: { clientId, clientSecret } })).body.accessToken as string
  const narrow = await machine()
  expect((await app.api.get('payments', { token: narrow })).status).toBe(200)
  for (const path of ['withdrawals', 'seller-webhooks', 'companies'])
    expect((await app.api.get(path, { token: narrow })).body.code, path).toBe('auth.scope_missing')
  await put(token, { scopes: [...FIRST_SCOPES, 'withdrawals:read'] })
  expect((await app.api.get('withdrawals', { token: await machine() })).status).toBe(200)
})
