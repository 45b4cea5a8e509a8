import { afterEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { registerSeller } from '../support/factories.ts'

const apps: TestApp[] = []
const start = async (perAddress: number): Promise<TestApp> => {
  const environment = { TRUSTED_PROXIES: '127.0.0.0/8', RATE_LIMIT_PER_ADDRESS_PER_MINUTE: String(perAddress) }
  const app = await startTestApp(environment)
  apps.push(app)
  return app
}

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const times = async (count: number, call: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await call(index)).status)
  return found
}

test('200: strangers who use up the budget of an address shut nobody out who has a token', async () => {
  const app = await start(5)
  const { token } = await registerSeller(app)
  expect(await times(8, () => app.api.get('status'))).toContain(429)
  expect((await app.api.get('balance', { token })).status).toBe(200)
  expect((await app.api.get('payments', { token })).status).toBe(200)
})

test('429: guessed tokens stop being looked at, and shut out neither callers with a token nor strangers', async () => {
  const app = await start(5)
  const { token } = await registerSeller(app)
  const guesses = await times(8, (index) => app.api.get('balance', { token: `guess-${index}` }))
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  const refused = await app.api.get('balance', { token: 'another-guess' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await app.api.get('balance', { token })).status).toBe(200)
  expect((await app.api.get('status')).status).toBe(200)
})

test('429: an IPv6 network that goes from one /64 to the next has a budget as a whole', async () => {
  const app = await start(1)
  const spread = (index: number) => app.api.get('status', from(`2001:db8:7:${index.toString(16)}::1`))
  expect(await times(16, spread)).toEqual(Array(16).fill(200))
  expect(await times(2, (index) => spread(100 + index))).toEqual([429, 429])
  expect((await app.api.get('status', from('2001:db8:8:1::1'))).status).toBe(200)
})
