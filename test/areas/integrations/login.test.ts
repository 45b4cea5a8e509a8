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

const basic = (clientId: string, clientSecret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
})

const standard = (scope: string) => ({
  access_token: expect.any(String),
  token_type: 'Bearer',
  expires_in: 900,
  scope,
})

const oldAndNew = (scope: string) => ({
  ...standard(scope),
  accessToken: expect.any(String),
  tokenType: 'Bearer',
  expiresIn: 900,
})

test('200: JSON gets a token of the seller with the scopes of the credentials', async () => {
  const { seller, clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'payments:read'] })
  const answer = await login({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('pragma')).toBe('no-cache')
  expect(answer.body).toStrictEqual(standard('payments:read balance:read'))
  expect(await actorOf(answer.body.access_token)).toStrictEqual({
    userId: seller.id,
    role: 'seller',
    accessRole: 'owner',
    sellerId: seller.id,
    sessionId: claimsOf(answer.body.access_token).sid,
    provedAt: expect.any(Date),
    hasSecondFactor: false,
    hasMadeUpPassword: false,
    scopes: ['payments:read', 'balance:read'],
  })
})

test('200: the names in camel case are still read, and answered to who sends them', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read'] })
  for (const answer of [await login({ clientId, clientSecret }), await form({ clientId, clientSecret })]) {
    expect(answer).toMatchObject({ status: 200, body: oldAndNew('balance:read') })
    expect(answer.body.accessToken).toBe(answer.body.access_token)
  }
})

test('200: a form is answered in the names of OAuth 2, and as before in camel case', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'fees:read'] })
  const answer = await form({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  expect(answer.status).toBe(200)
  expect(answer.body).toStrictEqual(oldAndNew('balance:read fees:read'))
})

test('200: the credentials may stand in the header Authorization, and the id in the body too', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'fees:read'] })
  const headers = { ...basic(clientId, clientSecret), 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of ['grant_type=client_credentials', `grant_type=client_credentials&client_id=${clientId}`]) {
    expect((await login(body, headers)).body.scope, body).toBe('balance:read fees:read')
  }
  expect((await login({ scope: 'fees:read' }, basic(clientId, clientSecret))).body.scope).toBe('fees:read')
  const lower = { authorization: basic(clientId, clientSecret).authorization.replace('Basic', 'basic') }
  for (const body of [{}, undefined]) expect((await login(body, lower)).status).toBe(200)
})

test('200: a token may have fewer scopes than its credentials', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read', 'fees:read', 'payments:read'] })
  const body = { client_id: clientId, client_secret: clientSecret }
  const { access_token: token, scope } = (await login({ ...body, scope: 'fees:read  payments:read fees:read' })).body
  expect(scope).toBe('payments:read fees:read')
  expect((await actorOf(token))?.scopes).toStrictEqual(['payments:read', 'fees:read'])
  expect((await app.api.get('balance', { token })).body.code).toBe('auth.scope_missing')
  for (const all of ['', ' ']) expect((await login({ ...body, scope: all })).body.scope.split(' ')).toHaveLength(3)
})

test('400: a token never has more scopes than its credentials', async () => {
  const { clientId, clientSecret } = await integrate({ scopes: ['balance:read'] })
  for (const scope of ['balance:read fees:read', 'fees:read', 'admin', 'balance:read,fees:read', '*']) {
    const answer = await form({ client_id: clientId, client_secret: clientSecret, scope })
    expect(answer, scope).toMatchObject({ status: 400, body: { error: 'invalid_scope', code: 'auth.scope_invalid' } })
  }
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

test('401: a wrong secret and an unknown client get the same answer, in the words of OAuth 2 and of the platform', async () => {
  const { clientId } = await integrate()
  const wrong = await login({ clientId, clientSecret: 'sk_wrong' })
  const unknown = await login({ clientId: 'cli_nobody', clientSecret: 'sk_wrong' })
  expect({ ...wrong.body, requestId: '' }).toStrictEqual({ ...unknown.body, requestId: '' })
  expect(wrong.body).toStrictEqual({
    error: 'invalid_client',
    error_description: 'These credentials do not match an account.',
    title: 'Unauthorized',
    status: 401,
    detail: 'These credentials do not match an account.',
    code: 'auth.credentials_invalid',
    requestId: wrong.headers.get('x-request-id'),
  })
  expect(wrong.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(wrong.headers.get('cache-control')).toBe('no-store')
  expect(wrong.headers.get('www-authenticate')).toBe('Basic realm="integrations", charset="UTF-8"')
})

test('401: a header Authorization: Basic that holds no credentials, or wrong ones', async () => {
  const { clientId } = await integrate()
  const broken = ['Basic', 'Basic ', 'Basic !!!', `Basic ${btoa('no colon')}`, `Basic ${btoa(':sk_x')}`]
  for (const authorization of [...broken, basic(clientId, 'sk_wrong').authorization, `Basic ${btoa('%zz:%zz')}`]) {
    const answer = await login({ grant_type: 'client_credentials' }, { authorization })
    expect(answer, authorization).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  }
})

test('400: credentials in the header and in the body', async () => {
  const { clientId, clientSecret } = await integrate()
  const both = [{ client_id: clientId, client_secret: clientSecret }, { client_id: 'cli_other' }, { clientSecret }]
  for (const body of both) {
    const answer = await login(body, basic(clientId, clientSecret))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', code: 'validation.failed' } })
  }
})

test('400: another grant is named by the standard’s word', async () => {
  const answer = await form({ grant_type: 'password', client_id: 'x', client_secret: 'y' })
  expect(answer.body).toStrictEqual({
    error: 'unsupported_grant_type',
    error_description: 'grant_type: The only grant is client_credentials.',
    type: '/errors/auth.grant_unsupported',
    title: 'Bad Request',
    status: 400,
    detail: 'The only grant is client_credentials.',
    code: 'auth.grant_unsupported',
    requestId: answer.headers.get('x-request-id'),
    errors: [
      { in: 'body', path: 'grant_type', code: 'invalid_value', message: 'The only grant is client_credentials.' },
    ],
  })
})

test('400: what is wrong with a request is named in letters that the standard allows', async () => {
  const { body } = await formText('client_id=x&client_secret=y&"pão\\"=z')
  expect(body.error).toBe('invalid_request')
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(body.error_description).toContain('This operation does not take this field.')
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
  expect(await pathsOf(login({}))).toStrictEqual(['client_id', 'client_secret'])
  expect(await pathsOf(login({ client_id: 'x', client_secret: 'y', clientId: 'z' }))).toStrictEqual(['clientId'])
  expect(await pathsOf(login({ client_id: 1, client_secret: 'y'.repeat(201) }))).toStrictEqual([
    'client_id',
    'client_secret',
  ])
  expect(await pathsOf(form({ grant_type: 'password', client_id: 'x', client_secret: 'y' }))).toStrictEqual([
    'grant_type',
  ])
  expect(await pathsOf(form({ client_id: 'x' }))).toStrictEqual(['client_secret'])
  expect(await pathsOf(form({ client_id: 'x', client_secret: '' }))).toStrictEqual(['client_secret'])
  expect(await pathsOf(form({ client_id: 'x', client_secret: 'y'.repeat(201) }))).toStrictEqual(['client_secret'])
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

test('log-ins are in the audit log: the first of each minute, and whoever guesses once they have to wait', async () => {
  const { seller, clientId, clientSecret } = await integrate()
  const entries = async () =>
    (
      await app.sql.query('select action, actor_role, target_type, after from audit_log where seller_id = $1', [
        seller.id,
      ])
    ).rows
  const opened = async () => (await entries()).filter(({ action }) => action === 'session.open_by_credentials').length
  await Promise.all(Array.from({ length: 6 }, () => login({ clientId, clientSecret })))
  const first = await opened()
  // One more where a minute ended meanwhile.
  expect([1, 2]).toContain(first)
  await app.sql.query("update api_credentials set last_used_at = now() - interval '1 minute' where client_id = $1", [
    clientId,
  ])
  await login({ clientId, clientSecret })
  expect(await opened()).toBe(first + 1)
  for (let times = 0; times < 12; times += 1) await login({ clientId, clientSecret: 'sk_wrong' })
  const guessed = (await entries()).filter(({ action }) => action === 'session.refuse_guesser')
  expect(guessed).toEqual([
    {
      action: 'session.refuse_guesser',
      actor_role: 'nobody',
      target_type: 'api_credentials',
      after: { guessedAt: 'secret' },
    },
  ])
})
