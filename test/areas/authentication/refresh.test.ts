import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const refresh = (refreshToken: unknown) => app.api.post('auth/refresh', { body: { refreshToken } })
const own = (id: string, token: string) => app.api.get(`users/${id}`, { token })

test('200: a refresh token gives new tokens of the same session', async () => {
  const { id, token, refreshToken } = await registerSeller(app)
  const answer = await refresh(refreshToken)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toStrictEqual({
    accessToken: expect.any(String),
    refreshToken: expect.stringMatching(/^[\w-]{43}$/),
    tokenType: 'Bearer',
    expiresIn: 900,
  })
  expect(answer.body.refreshToken).not.toBe(refreshToken)
  expect(claimsOf(answer.body.accessToken).sid).toBe(claimsOf(token).sid)
  expect((await own(id, answer.body.accessToken)).status).toBe(200)
  expect((await refresh(answer.body.refreshToken)).status).toBe(200)
})

test('401: a refresh token that is used again ends the whole session at once', async () => {
  const { id, token, refreshToken } = await registerSeller(app)
  const { body: second } = await refresh(refreshToken)
  const { body: third } = await refresh(second.refreshToken)
  expect((await own(id, third.accessToken)).status).toBe(200)
  const reuse = await refresh(refreshToken)
  expect(reuse).toMatchObject({ status: 401, body: { code: 'auth.refresh_token_invalid' } })
  expect((await refresh(third.refreshToken)).body.code).toBe('auth.refresh_token_invalid')
  for (const accessToken of [token, second.accessToken, third.accessToken]) {
    expect((await own(id, accessToken)).body.code).toBe('auth.token_invalid')
  }
})

test('401: a reuse ends that session only', async () => {
  const { id, email, password, refreshToken } = await registerSeller(app)
  const { body } = await app.api.post('auth/login', { body: { email, password } })
  await refresh(refreshToken)
  expect((await refresh(refreshToken)).status).toBe(401)
  expect((await own(id, body.tokens.accessToken)).status).toBe(200)
})

test('401: of uses at the same moment one wins, and its tokens end too', async () => {
  for (const uses of [2, 8]) {
    const { refreshToken } = await registerSeller(app)
    const answers = await Promise.all(Array.from({ length: uses }, () => refresh(refreshToken)))
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, ...Array(uses - 1).fill(401)])
    const winner = answers.find(({ status }) => status === 200)
    expect((await refresh(winner?.body.refreshToken)).body.code).toBe('auth.refresh_token_invalid')
  }
})

test('401: a session that is not used ends after seven days, an administrator’s after half an hour', async () => {
  const { id, refreshToken } = await registerSeller(app)
  const { rows } = await app.sql.query(
    'select extract(epoch from t.expires_at - t.created_at)::int as seconds from refresh_tokens t join sessions s on s.id = t.session_id where user_id = $1',
    [id],
  )
  expect(rows).toStrictEqual([{ seconds: 7 * 24 * 3_600 }])
  const admin = claimsOf(await adminToken(app))
  const idle = await app.sql.query(
    'select extract(epoch from expires_at - created_at)::int as seconds from sessions where id = $1',
    [admin.sid],
  )
  expect(idle.rows).toStrictEqual([{ seconds: 30 * 60 }])
  await app.sql.query(
    'update refresh_tokens set expires_at = now() where session_id in (select id from sessions where user_id = $1)',
    [id],
  )
  expect((await refresh(refreshToken)).body.code).toBe('auth.refresh_token_invalid')
})

test('200: a session lives on from refresh to refresh, for 30 days in all', async () => {
  const { id, refreshToken } = await registerSeller(app)
  await app.sql.query("update sessions set expires_at = now() + interval '1 minute' where user_id = $1", [id])
  await refresh(refreshToken)
  const { rows } = await app.sql.query(
    "select expires_at > now() + interval '6 days' as prolonged from sessions where user_id = $1",
    [id],
  )
  expect(rows).toStrictEqual([{ prolonged: true }])
  const old = await registerSeller(app)
  await app.sql.query("update sessions set created_at = now() - interval '29 days' where user_id = $1", [old.id])
  expect((await refresh(old.refreshToken)).status).toBe(200)
  const last = await app.sql.query(
    "select expires_at < now() + interval '25 hours' as ends from sessions where user_id = $1",
    [old.id],
  )
  expect(last.rows).toStrictEqual([{ ends: true }])
})

test('401: a token that nobody has, an access token, and a token of an ended session', async () => {
  const { id, token, refreshToken } = await registerSeller(app)
  expect((await refresh('x'.repeat(43))).body.code).toBe('auth.refresh_token_invalid')
  expect((await refresh('\u00e9')).body.code).toBe('auth.refresh_token_invalid')
  await app.api.post('auth/logout', { token, body: { refreshToken } })
  expect((await refresh(refreshToken)).body.code).toBe('auth.refresh_token_invalid')
  expect((await own(id, token)).status).toBe(401)
})

test('400: a token must be a bounded text', async () => {
  for (const refreshToken of [undefined, null, 7, '', ['x'], 'x'.repeat(201)]) {
    expect((await refresh(refreshToken)).status).toBe(400)
  }
})
