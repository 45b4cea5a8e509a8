import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('503: of two hundred log-ins at once those that would wait for long are asked to come again', async () => {
  const body = (index: number) => ({ email: `nobody-${index}@example.com`, password: 'a wrong guess' })
  const logins = Array.from({ length: 200 }, (_, index) => app.api.post('auth/login', { body: body(index) }))
  const answers = await Promise.all(logins)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
  expect((await app.api.post('auth/login', { body: body(0) })).status).toBe(401)
})
