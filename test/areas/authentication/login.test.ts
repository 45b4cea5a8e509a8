import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const login = (email: string, password: string) => app.api.post('auth/login', { body: { email, password } })
const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work))
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('200: the right password opens a session of its own', async () => {
  const seller = await registerSeller(app)
  const answer = await login(seller.email.toUpperCase(), seller.password)
  expect(answer).toMatchObject({
    status: 200,
    body: { user: { id: seller.id, email: seller.email }, tokens: { tokenType: 'Bearer', expiresIn: 900 } },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body.tokens.refreshToken).not.toBe(seller.refreshToken)
  const { rows } = await app.sql.query('select id from sessions where user_id = $1', [seller.id])
  expect(rows).toHaveLength(2)
})

test('401: a wrong password and an unknown address get the same answer', async () => {
  const { email } = await registerSeller(app)
  const wrong = await login(email, 'not the password')
  const unknown = await login(newEmail(), 'not the password')
  expect(wrong).toMatchObject({ status: 401, body: { code: 'auth.credentials_invalid' } })
  expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/)
  const { requestId: _one, ...wrongBody } = wrong.body
  const { requestId: _other, ...unknownBody } = unknown.body
  expect(unknownBody).toStrictEqual(wrongBody)
})

test('401: a deleted user no longer logs in', async () => {
  const { id, email, password, token } = await registerSeller(app)
  expect((await app.api.delete(`users/${id}`, { token })).status).toBe(204)
  expect((await login(email, password)).body.code).toBe('auth.credentials_invalid')
})

test('429: after ten failures an address waits, for the right password too, and is told for how long', async () => {
  const { email, password } = await registerSeller(app)
  for (let failure = 1; failure <= 10; failure += 1) expect((await login(email, 'wrong password')).status).toBe(401)
  const locked = await login(email, password)
  expect(locked).toMatchObject({ status: 429, body: { code: 'auth.account_locked' } })
  const retryAfter = Number(locked.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(890)
  expect(retryAfter).toBeLessThanOrEqual(900)
})

test('429: whoever guesses at an e-mail address that nobody has waits in the same way', async () => {
  const email = newEmail()
  const answers = await times(12, () => login(email, 'wrong password'))
  expect(statusesOf(answers)).toStrictEqual([...Array(10).fill(401), 429, 429])
})

test('429: of many guesses at the same moment exactly ten are answered', async () => {
  const { email, password } = await registerSeller(app)
  const answers = await times(25, () => login(email, 'wrong password'))
  expect(statusesOf(answers)).toStrictEqual([...Array(10).fill(401), ...Array(15).fill(429)])
  expect((await login(email, password)).status).toBe(429)
})

test('429: guesses at one account are not counted for another', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  await times(11, () => login(one.email, 'wrong password'))
  expect((await login(one.email, one.password)).status).toBe(429)
  expect((await login(other.email, other.password)).status).toBe(200)
})

test('200: a success forgets the failures before it', async () => {
  const { email, password } = await registerSeller(app)
  for (const _ of [1, 2]) {
    await times(9, () => login(email, 'wrong password'))
    expect((await login(email, password)).status).toBe(200)
  }
})

test('200: a wait ends, and the right password forgets the failures before it', async () => {
  const { email, password } = await registerSeller(app)
  await times(10, () => login(email, 'wrong password'))
  expect((await login(email, password)).status).toBe(429)
  await app.sql.query("update login_failures set locked_until = now() - interval '1 ms' where locked_until is not null")
  expect((await login(email, password)).status).toBe(200)
  expect((await login(email, 'wrong password')).status).toBe(401)
  const { rows } = await app.sql.query('select failures from login_failures order by window_started_at desc limit 1')
  expect(rows).toStrictEqual([{ failures: 1 }])
})

test('401: failures that are older than a week do not count', async () => {
  const email = newEmail()
  await times(9, () => login(email, 'wrong password'))
  await app.sql.query("update login_failures set window_started_at = window_started_at - interval '7 days'")
  expect(statusesOf(await times(2, () => login(email, 'wrong password')))).toStrictEqual([401, 401])
})

test('200: many logins with the right password at the same moment all succeed', async () => {
  const { email, password } = await registerSeller(app)
  expect(statusesOf(await times(12, () => login(email, password)))).toStrictEqual(Array(12).fill(200))
})

test('401: a login cannot outlive the password that it was made with', async () => {
  const { id, email, password, token } = await registerSeller(app)
  const [change, ...logins] = await Promise.all([
    app.api.put(`users/${id}/password`, {
      token,
      body: { currentPassword: password, newPassword: 'outro café com leite' },
    }),
    ...Array.from({ length: 6 }, () => login(email, password)),
  ])
  expect(change?.status).toBe(204)
  const opened = logins.filter(({ status }) => status === 200)
  const later = opened.map(({ body }) =>
    app.api.post('auth/refresh', { body: { refreshToken: body.tokens.refreshToken } }),
  )
  expect((await Promise.all(later)).map(({ status }) => status)).toStrictEqual(opened.map(() => 401))
  const { rows } = await app.sql.query('select id from sessions where user_id = $1 and revoked_at is null', [id])
  expect(rows).toHaveLength(1)
})

test('400: unknown fields, missing fields and codes that are none', async () => {
  const faults = async (body: unknown) =>
    (await app.api.post('auth/login', { body })).body.errors.map(({ path }: { path: string }) => path)
  expect(await faults({})).toStrictEqual(['email', 'password'])
  expect(await faults({ email: newEmail(), password: 'x', admin: true })).toStrictEqual(['admin'])
  expect(await faults({ email: newEmail(), password: 'x', totpCode: '12345' })).toStrictEqual(['totpCode'])
  expect(await faults({ email: newEmail(), password: 'x'.repeat(129) })).toStrictEqual(['password'])
  expect((await app.api.post('auth/login', { body: '{' })).status).toBe(400)
})
