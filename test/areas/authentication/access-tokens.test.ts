import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { claimsOf, forgeToken } from '../../support/tokens.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(() => app.close())

const call = (token: string, id = seller.id) => app.api.get(`users/${id}`, { token })
const codeOf = async (token: string) => {
  const { status, body, headers } = await call(token)
  const scheme = headers.get('www-authenticate')?.split(' ')[0]
  return `${status} ${scheme} ${body.code}`
}
const secret = () => app.config.jwtSecret
const claims = () => claimsOf(seller.token)

test('200: a token made by hand with the right key and claims works, so the refusals below are about what they change', async () => {
  expect((await call(forgeToken({ claims: claims(), secret: secret() }))).status).toBe(200)
})

test('401: tokens that the platform did not sign', async () => {
  const [header = '', content = '', signature = ''] = seller.token.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  const forged = {
    'another key': forgeToken({ claims: claims(), secret: 'another-secret-of-more-than-32-characters' }),
    'an empty key': forgeToken({ claims: claims(), secret: '' }),
    'no algorithm': `${none}.${content}.`,
    'no algorithm, but a signature': `${none}.${content}.${signature}`,
    'another algorithm': forgeToken({ header: { alg: 'HS512', typ: 'JWT' }, claims: claims(), secret: secret() }),
    'no signature': `${header}.${content}.`,
    'a cut signature': seller.token.slice(0, -5),
    'two parts': `${header}.${content}`,
    'other claims under the signature': `${header}.${Buffer.from(JSON.stringify({ ...claims(), sub: randomUUID() })).toString('base64url')}.${signature}`,
    'no JSON': 'e30.bm90IGpzb24.c2ln',
    'no token at all': 'garbage',
    'a long one': `${'a'.repeat(4_000)}.b.c`,
  }
  for (const [name, token] of Object.entries(forged)) {
    expect(await codeOf(token), name).toBe('401 Bearer auth.token_invalid')
  }
})

test('401: tokens with claims that are not the platform’s', async () => {
  const { iss: _issuer, ...withoutIssuer } = claims()
  const { exp: _expiry, ...withoutExpiry } = claims()
  const { sid: _session, ...withoutSession } = claims()
  const { sub: _subject, ...withoutSubject } = claims()
  const other = await registerSeller(app)
  const wrong = {
    'another issuer': { ...claims(), iss: 'somebody-else' },
    'no issuer': withoutIssuer,
    'no expiry': withoutExpiry,
    'no session': withoutSession,
    'no subject': withoutSubject,
    'an unknown session': { ...claims(), sid: randomUUID() },
    'another user’s session': { ...claims(), sid: claimsOf(other.token).sid },
    'another user': { ...claims(), sub: other.id },
    'a session that is no id': { ...claims(), sid: "' or true --" },
    'a subject that is a list': { ...claims(), sub: [seller.id] },
  }
  for (const [name, changed] of Object.entries(wrong)) {
    expect(await codeOf(forgeToken({ claims: changed, secret: secret() })), name).toBe('401 Bearer auth.token_invalid')
  }
})

test('401: an expired token says so', async () => {
  const past = Math.floor(Date.now() / 1_000) - 1
  const expired = forgeToken({ claims: { ...claims(), iat: past - 900, exp: past }, secret: secret() })
  expect(await codeOf(expired)).toBe('401 Bearer auth.token_expired')
})

test('401: a token outlives neither its session nor the database’s word on it', async () => {
  const { id, token } = await registerSeller(app)
  await app.sql.query('update sessions set expires_at = now() where user_id = $1', [id])
  expect((await call(token, id)).body.code).toBe('auth.token_invalid')
})

test('401: no token, and other kinds of credentials', async () => {
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', seller.token, `Token ${seller.token}`]) {
    const { status, body } = await app.api.get(`users/${seller.id}`, { headers: { authorization } })
    expect(status, authorization).toBe(401)
    expect(body.code).toMatch(/^auth\.token_(missing|invalid)$/)
  }
  expect((await app.api.get(`users/${seller.id}`)).body.code).toBe('auth.token_missing')
})

test('an enormous token is refused before it is read', async () => {
  const { status } = await app.api.get(`users/${seller.id}`, { token: 'a'.repeat(100_000) })
  expect(status).toBe(431)
})

test('another process learns of a revoked session within a second', async () => {
  const { id, token } = await registerSeller(app)
  expect((await call(token, id)).status).toBe(200)
  await app.sql.query('update sessions set revoked_at = now() where user_id = $1', [id])
  await expect.poll(async () => (await call(token, id)).status, { timeout: 1_500, interval: 50 }).toBe(401)
})

test('a token is good on each of two servers at once, because both have the same key', async () => {
  const found = await app.services.authentication.findActor(claims(), '127.0.0.1')
  expect(found).toStrictEqual({
    userId: seller.id,
    role: 'seller',
    accessRole: 'owner',
    sellerId: seller.id,
    sessionId: claims().sid,
    provedAt: expect.any(Date),
    hasSecondFactor: false,
    hasMadeUpPassword: false,
    scopes: 'all',
  })
})
