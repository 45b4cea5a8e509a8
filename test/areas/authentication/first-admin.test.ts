import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const withoutAdmins = () => app.sql.query("delete from sessions; delete from users where role = 'admin'")

test('of several processes that start together one makes the administrator, with a password made up once', async () => {
  await withoutAdmins()
  const email = newEmail()
  const made = await Promise.all(
    Array.from({ length: 6 }, () => app.services.authentication.ensureFirstAdmin({ email })),
  )
  const first = made.filter((result) => result !== undefined)
  expect(first).toHaveLength(1)
  expect(first[0]).toStrictEqual({ email, password: expect.stringMatching(/^[\w-]{24}$/) })
  const { rows } = await app.sql.query("select email, approved from users where role = 'admin'")
  expect(rows).toStrictEqual([{ email, approved: true }])
  const login = await app.api.post('auth/login', { body: { email, password: first[0]?.password } })
  expect(login).toMatchObject({ status: 200, body: { user: { role: 'admin' } } })
})

test('a password that was given is not shown', async () => {
  await withoutAdmins()
  const admin = { email: newEmail(), password: 'a password from outside' }
  expect(await app.services.authentication.ensureFirstAdmin(admin)).toStrictEqual({
    email: admin.email,
    password: undefined,
  })
  expect((await app.api.post('auth/login', { body: admin })).status).toBe(200)
})

test('where there is an administrator nothing happens', async () => {
  expect(await app.services.authentication.ensureFirstAdmin({ email: newEmail() })).toBeUndefined()
})

test('an address that a seller has is refused', async () => {
  const { email } = await registerSeller(app)
  await withoutAdmins()
  await expect(app.services.authentication.ensureFirstAdmin({ email })).rejects.toMatchObject({
    code: 'user.email_taken',
  })
})
