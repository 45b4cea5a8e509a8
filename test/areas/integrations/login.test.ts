import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../../src/domain/actor.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
beforeAll(async () => {
  // The test is the proxy, so that it can come from any address.
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.0/8' })
})
afterAll(() => app.close())

const integrate = async (settings: object = {}) => {
  const seller = await registerSeller(app)
  const put = (body: object) => app.api.put('integrations/credentials', { token: seller.token, body })
  const { clientId, clientSecret } = (await put({ ...settings, rotateSecret: true })).body
  return { seller, put, clientId: clientId as string, clientSecret: clientSecret as string }
}
const login = (body: unknown, headers: Record<string, string> = {}) =>
  app.api.post('integrations/login', { body, headers })
const formText = (text: string) => login(text, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' })
const form = (fields: Record<string, string>) => formText(new URLSearchParams(fields).toString())
const actorOf = (token: string, address = '127.0.0.1') =>
  app.services.authentication.findActor(claimsOf(token), address)
const from = (address: string) => ({ 'x-forwarded-for': address })

test('200: JSON gets a token of the seller with the scopes of the credentials', async () => {
  const { seller, clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'payments:read'] })
  const answer = await login({ clientId, clientSecret })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toStrictEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 })
  expect(await actorOf(answer.body.accessToken)).toStrictEqual({
    userId: seller.id,
    role: 'seller',
    sessionId: claimsOf(answer.body.accessToken).sid,
    scopes: ['payments:read', 'balance:read'],
  })
})

test('200: a form gets the answer under the names of OAuth 2 too', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'fees:read'] })
  const standard = await form({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  expect(standard.status).toBe(200)
  expect(standard.body).toStrictEqual({
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 900,
    access_token: standard.body.accessToken,
    token_type: 'Bearer',
    expires_in: 900,
    scope: 'balance:read fees:read',
  })
  expect((await form({ clientId, clientSecret })).status).toBe(200)
  expect((await form({ client_id: clientId, client_secret: clientSecret, scope: 'balance:read' })).status).toBe(200)
})

test('403: a token does what its scopes say, and nothing that is a person’s', async () => {
  const { seller, clientId, clientSecret } = await integrate({ scopes: [...SCOPES] })
  const { accessToken } = (await login({ clientId, clientSecret })).body
  for (const path of [`users/${seller.id}`, 'integrations/credentials']) {
    const answer = await app.api.get(path, { token: accessToken })
    expect(answer, path).toMatchObject({ status: 403, body: { code: 'auth.scope_missing' } })
  }
})

test('200: a scope that is taken away is gone from tokens that are out, one that is added is not in them', async () => {
  const { put, clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'fees:read'] })
  const { accessToken } = (await login({ clientId, clientSecret })).body
  expect((await actorOf(accessToken))?.scopes).toStrictEqual(['balance:read', 'fees:read'])
  await put({ scopes: ['fees:read', 'payments:write'] })
  expect((await actorOf(accessToken))?.scopes).toStrictEqual(['fees:read'])
})

test('401: a wrong secret and an unknown client get the same answer', async () => {
  const { clientId } = await integrate()
  const wrong = await login({ clientId, clientSecret: 'sk_wrong' })
  const unknown = await login({ clientId: 'cli_nobody', clientSecret: 'sk_wrong' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'auth.credentials_invalid' } })
  expect({ ...wrong.body, requestId: '' }).toStrictEqual({ ...unknown.body, requestId: '' })
})

test('401: credentials without a secret open for no secret', async () => {
  const { token } = await registerSeller(app)
  const { clientId } = (await app.api.get('integrations/credentials', { token })).body
  for (const clientSecret of ['0'.repeat(64), 'null', 'undefined', 'sk_']) {
    expect((await login({ clientId, clientSecret })).status, clientSecret).toBe(401)
  }
})

test('429: of many guesses at the same moment exactly ten are answered', async () => {
  const { clientId, clientSecret } = await integrate()
  const answers = await Promise.all(Array.from({ length: 15 }, () => login({ clientId, clientSecret: 'sk_wrong' })))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([...Array(10).fill(401), ...Array(5).fill(429)])
  const locked = await login({ clientId, clientSecret })
  expect(locked).toMatchObject({ status: 429, body: { code: 'auth.account_locked' } })
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890)
})

test('403: neither login nor token works from an address that is not allowed', async () => {
  const allowedIps = ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48']
  const { put, clientId, clientSecret } = await integrate({ allowedIps })
  const keys = { clientId, clientSecret }
  for (const address of ['203.0.113.200', '198.51.100.7', '::ffff:203.0.113.9', '2001:db8:1:2::3']) {
    expect((await login(keys, from(address))).status, address).toBe(200)
  }
  for (const address of ['203.0.114.1', '198.51.100.8', '2001:db8:2::1', '::1']) {
    const answer = await login(keys, from(address))
    expect(answer, address).toMatchObject({ status: 403, body: { code: 'auth.address_not_allowed' } })
  }
  const { accessToken } = (await login(keys, from('203.0.113.1'))).body
  const use = (address: string) =>
    app.api.get('integrations/credentials', { token: accessToken, headers: from(address) })
  expect((await use('203.0.113.2')).body.code).toBe('auth.scope_missing')
  expect((await use('192.0.2.1')).body.code).toBe('auth.address_not_allowed')
  await put({ allowedIps: [] })
  expect((await use('192.0.2.1')).body.code).toBe('auth.scope_missing')
})

test('400: what is not a login', async () => {
  const pathsOf = async (answer: Promise<{ body: { errors: { path: string }[] } }>) =>
    (await answer).body.errors.map(({ path }) => path)
  expect(await pathsOf(login({}))).toStrictEqual(['clientId', 'clientSecret'])
  expect(await pathsOf(login({ client_id: 'x', client_secret: 'y' }))).toStrictEqual([
    'clientId',
    'clientSecret',
    'client_id',
    'client_secret',
  ])
  expect(await pathsOf(form({ grant_type: 'password', client_id: 'x', client_secret: 'y' }))).toStrictEqual([
    'grant_type',
  ])
  expect(await pathsOf(form({ client_id: 'x' }))).toStrictEqual(['clientSecret'])
  expect(await pathsOf(form({ client_id: 'x', client_secret: 'y'.repeat(201) }))).toStrictEqual(['clientSecret'])
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect(await pathsOf(formText(`client_id=x&client_secret=y&${name}=z`)), name).toStrictEqual([name])
  }
  const twice = login('client_id=x&client_id=y&client_secret=z', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(await pathsOf(twice)).toStrictEqual(['client_id'])
})

test('413 and 415: bodies that no login has', async () => {
  expect((await form({ client_id: 'x'.repeat(10_000) })).status).toBe(413)
  expect((await login('<login/>', { 'content-type': 'text/xml' })).status).toBe(415)
})

test('415: forms are for the login alone', async () => {
  const { token } = await registerSeller(app)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await app.api.put('integrations/credentials', { token, body: 'a=b', headers })).status).toBe(415)
  expect((await app.api.post('auth/login', { body: 'a=b', headers })).status).toBe(415)
})
