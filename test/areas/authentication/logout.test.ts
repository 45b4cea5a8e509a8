import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const logout = (token: string | undefined, body: unknown) => app.api.post('auth/logout', { token, body })
const own = (id: string, token: string) => app.api.get(`users/${id}`, { token })

test('204: the session ends at once, with all of its tokens', async () => {
  const { id, token, refreshToken } = await registerSeller(app)
  expect((await own(id, token)).status).toBe(200)
  const answer = await logout(token, { refreshToken })
  expect(answer).toMatchObject({ status: 204, text: '' })
  expect((await own(id, token)).body.code).toBe('auth.token_invalid')
  expect((await app.api.post('auth/refresh', { body: { refreshToken } })).status).toBe(401)
})

test('204: one session can end another of the same person, and nothing else', async () => {
  const { id, email, password, token, refreshToken } = await registerSeller(app)
  const { body } = await app.api.post('auth/login', { body: { email, password } })
  expect((await logout(body.tokens.accessToken, { refreshToken })).status).toBe(204)
  expect((await own(id, token)).status).toBe(401)
  expect((await own(id, body.tokens.accessToken)).status).toBe(200)
})

test('401: somebody else’s refresh token is like one that does not exist, and stays good', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const foreign = await logout(one.token, { refreshToken: other.refreshToken })
  const missing = await logout(one.token, { refreshToken: 'x'.repeat(43) })
  expect(foreign).toMatchObject({ status: 401, body: { code: 'auth.refresh_token_invalid' } })
  expect({ ...foreign.body, requestId: '' }).toStrictEqual({ ...missing.body, requestId: '' })
  expect((await app.api.post('auth/refresh', { body: { refreshToken: other.refreshToken } })).status).toBe(200)
})

test('401: without a token, before the body is looked at', async () => {
  expect((await logout(undefined, { nonsense: true })).body.code).toBe('auth.token_missing')
})

test('400: without a refresh token', async () => {
  const { token } = await registerSeller(app)
  expect((await logout(token, {})).body.errors).toMatchObject([{ in: 'body', path: 'refreshToken' }])
})
