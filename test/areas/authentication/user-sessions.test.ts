import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { administratorWith, joinTeam, logIn } from '../../support/team.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp({ SESSION_IDLE_MINUTES: '43200', ADMIN_SESSION_IDLE_MINUTES: '720' })
  seller = await registerSeller(app)
})

afterAll(() => app.close())

const list = (token: string, userId: string) => app.api.get(`users/${userId}/sessions`, { token })

const end = (token: string, userId: string, of: string) =>
  app.api.delete(`users/${userId}/sessions/${claimsOf(of).sid}`, { token })

test('200: one’s own log-ins, newest first, with where and with what they were made', async () => {
  const { id, email, password, token } = await registerSeller(app)
  const login = await app.api.post('auth/login', {
    body: { email, password },
    headers: { 'user-agent': 'A phone'.padEnd(400, '.') },
  })
  const { status, body } = await list(token, id)
  expect(status).toBe(200)
  expect(body.totalRecords).toBe(2)
  expect(body.data[0]).toEqual({
    id: claimsOf(login.body.tokens.accessToken).sid,
    createdAt: expect.any(String),
    lastUsedAt: body.data[0].createdAt,
    expiresAt: expect.any(String),
    ipAddress: '127.0.0.1',
    userAgent: 'A phone'.padEnd(300, '.'),
    current: false,
  })
  expect(body.data[1]).toMatchObject({ id: claimsOf(token).sid, current: true })
})

test('204: a session that is ended has no good token any more, and is listed no more', async () => {
  const { id, email, password, token } = await registerSeller(app)
  const { body } = await app.api.post('auth/login', { body: { email, password } })
  const { accessToken, refreshToken } = body.tokens
  expect((await app.api.get('balance', { token: accessToken })).status).toBe(200)
  expect((await end(token, id, accessToken)).status).toBe(204)
  expect((await app.api.get('balance', { token: accessToken })).status).toBe(401)
  expect((await app.api.post('auth/refresh', { body: { refreshToken } })).status).toBe(401)
  expect((await list(token, id)).body.totalRecords).toBe(1)
  expect(await end(token, id, accessToken)).toMatchObject({ status: 404, body: { code: 'session.not_found' } })
})

test('an owner sees and ends the sessions of the team, and nobody else does', async () => {
  const member = await joinTeam(app, seller, 'viewer')
  const other = await joinTeam(app, seller, 'finance')
  expect((await list(other.token, member.id)).status).toBe(404)
  expect((await list((await registerSeller(app)).token, member.id)).status).toBe(404)
  expect((await list(seller.token, member.id)).body.data).toMatchObject([{ current: false }])
  expect((await end(seller.token, member.id, member.token)).status).toBe(204)
  expect((await app.api.get('balance', { token: member.token })).status).toBe(401)
})

test('an owner among administrators sees and ends everybody’s, another administrator one’s own', async () => {
  const owner = await adminToken(app)
  const support = await administratorWith(app, owner, 'support')
  const { email, password, id } = await registerSeller(app)
  const theirs = await logIn(app, email, password)
  expect((await list(support.token, id)).status).toBe(403)
  expect((await list(support.token, support.id)).status).toBe(200)
  expect((await list(owner, id)).body.totalRecords).toBe(2)
  expect((await end(owner, id, theirs)).status).toBe(204)
  expect((await app.api.get('balance', { token: theirs })).status).toBe(401)
})

const lifeInHours = async (token: string): Promise<number> => {
  const { rows } = await app.sql.query(
    'select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from sessions where id = $1',
    [claimsOf(token).sid],
  )
  return rows[0].hours
}

test('a session ends 30 days after its log-in, an administrator’s after 12 hours, however often it is renewed', async () => {
  for (const [credentials, hours] of [
    [{ email: seller.email, password: seller.password }, 30 * 24],
    [app.config.admin, 12],
  ] as const) {
    const { body } = await app.api.post('auth/login', { body: credentials })
    const { accessToken, refreshToken } = body.tokens
    expect(await lifeInHours(accessToken)).toBe(hours)
    const { sid } = claimsOf(accessToken)
    await app.sql.query("update sessions set created_at = created_at - interval '1 hour' where id = $1", [sid])
    const renewed = await app.api.post('auth/refresh', { body: { refreshToken } })
    expect(renewed.status).toBe(200)
    expect(await lifeInHours(accessToken)).toBe(hours)
    await app.sql.query("update sessions set created_at = created_at - $2 * interval '1 hour' where id = $1", [
      sid,
      hours,
    ])
    const { refreshToken: successor } = renewed.body
    expect((await app.api.post('auth/refresh', { body: { refreshToken: successor } })).status).toBe(401)
  }
})
