import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const NEW = 'outro café com leite'
const change = (id: string, token: string | undefined, currentPassword: unknown, newPassword: unknown = NEW) =>
  app.api.put(`users/${id}/password`, { token, body: { currentPassword, newPassword } })
const login = (email: string, password: string) => app.api.post('auth/login', { body: { email, password } })

test('204: the new password logs in, the old one no longer does', async () => {
  const { id, token, email, password } = await registerSeller(app)
  expect(await change(id, token, password)).toMatchObject({ status: 204, text: '' })
  expect((await login(email, password)).status).toBe(401)
  expect((await login(email, NEW)).status).toBe(200)
  const { rows } = await app.sql.query('select action, before, after from audit_log where target_id = $1', [id])
  expect(rows).toStrictEqual([{ action: 'user.change_password', before: null, after: null }])
})

test('204: all other sessions end at once, this one stays', async () => {
  const { id, token, email, password, refreshToken } = await registerSeller(app)
  const { body: other } = await login(email, password)
  const own = (accessToken: string) => app.api.get(`users/${id}`, { token: accessToken })
  expect((await own(token)).status).toBe(200)
  expect((await change(id, other.tokens.accessToken, password)).status).toBe(204)
  expect((await own(token)).body.code).toBe('auth.token_invalid')
  expect((await app.api.post('auth/refresh', { body: { refreshToken } })).status).toBe(401)
  expect((await own(other.tokens.accessToken)).status).toBe(200)
  const renewed = await app.api.post('auth/refresh', { body: { refreshToken: other.tokens.refreshToken } })
  expect(renewed.status).toBe(200)
})

test('204: of changes at the same moment one wins', async () => {
  const { id, token, email, password } = await registerSeller(app)
  const wanted = ['um café com leite', 'dois cafés com leite', 'três cafés com leite']
  const answers = await Promise.all(wanted.map((next) => change(id, token, password, next)))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([204, 422, 422])
  const logins = await Promise.all(wanted.map((next) => login(email, next)))
  expect(logins.map(({ status }) => status === 200)).toStrictEqual(answers.map(({ status }) => status === 204))
})

test('422: a wrong current password changes nothing', async () => {
  const { id, token, email, password } = await registerSeller(app)
  expect(await change(id, token, 'not this one')).toMatchObject({
    status: 422,
    body: { code: 'user.password_incorrect' },
  })
  expect((await login(email, password)).status).toBe(200)
})

test('429: a session that guesses here has to wait, and nobody else', async () => {
  const { id, token, email, password } = await registerSeller(app)
  const answers = await Promise.all(Array.from({ length: 12 }, () => change(id, token, 'not this one')))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([...Array(10).fill(422), 429, 429])
  expect((await change(id, token, password)).body.code).toBe('auth.account_locked')
  expect((await login(email, password)).status).toBe(200)
})

test('400: a new password that is short, common or the address', async () => {
  const { id, token, email, password } = await registerSeller(app)
  for (const next of ['short', 'password', email, undefined, 'x'.repeat(129)]) {
    const body = { currentPassword: password, newPassword: next }
    const answer = await app.api.put(`users/${id}/password`, { token, body })
    expect(answer.status, next).toBe(400)
    expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'newPassword' }])
  }
})

test('404: nobody changes another’s password, administrators neither', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  expect((await change(other.id, one.token, one.password)).body.code).toBe('user.not_found')
  expect((await change(other.id, await adminToken(app), other.password)).body.code).toBe('user.not_found')
  expect((await change(randomUUID(), one.token, one.password)).body.code).toBe('user.not_found')
  expect((await login(other.email, other.password)).status).toBe(200)
})

test('401: without a token', async () => {
  expect((await change(randomUUID(), undefined, 'x')).body.code).toBe('auth.token_missing')
})
