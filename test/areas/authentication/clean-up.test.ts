import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('sessions that ended more than a day ago are forgotten, failures after a week, others stay', async () => {
  const [ended, revoked, live] = [await registerSeller(app), await registerSeller(app), await registerSeller(app)]
  await app.sql.query("update sessions set expires_at = now() - interval '25 hours' where user_id = $1", [ended.id])
  await app.sql.query("update sessions set revoked_at = now() - interval '25 hours' where user_id = $1", [revoked.id])
  await app.api.post('auth/login', { body: { email: newEmail(), password: 'wrong password' } })
  await app.sql.query("update login_failures set window_started_at = window_started_at - interval '7 days'")
  await app.api.post('auth/login', { body: { email: newEmail(), password: 'wrong password' } })

  expect(await app.services.authentication.cleanUp()).toBe(3)
  expect(await app.services.authentication.cleanUp()).toBe(0)

  const { rows } = await app.sql.query('select user_id from sessions')
  expect(rows).toStrictEqual([{ user_id: live.id }])
  expect((await app.sql.query('select from refresh_tokens')).rowCount).toBe(1)
  expect((await app.sql.query('select from login_failures')).rowCount).toBe(1)
})
