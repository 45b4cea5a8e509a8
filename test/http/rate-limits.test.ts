import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressBucket } from '../../src/http/plugins/rate-limit.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

type Server = Awaited<ReturnType<typeof startHttpServer>>

const WINDOW_MS = 60_000
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '5',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '4',
  RATE_LIMIT_TIGHT_PER_MINUTE: '3',
}

let database: TestDatabase
// Each test lives in a window of its own, ten seconds after its beginning.
let nowMs = Date.UTC(2026, 10, 21, 12, 0, 10)
const clock = { now: () => new Date(nowMs) }
const servers: Server[] = []

const start = async (actor = {}): Promise<Server> => {
  const server = await startHttpServer({
    databaseUrl: database.url,
    environment: LIMITS,
    clock,
    actor,
    plant: (app) => {
      app.get('/open', { config: { access: 'public' } }, async () => ({}))
      app.get('/mine', { config: { access: ['seller:viewer'], scope: 'payments:read' } }, async () => ({}))
      app.post('/guarded', { config: { access: 'public', rateLimit: 'tight' } }, async () => ({}))
      app.post('/also-guarded', { config: { access: 'public', rateLimit: 'tight' } }, async () => ({}))
    },
  })
  servers.push(server)
  return server
}

beforeAll(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  nowMs += 10 * WINDOW_MS
})

afterAll(() => database.drop())

const statuses = async (count: number, call: () => Promise<{ status: number }>): Promise<number[]> => {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await call()).status)
  return found
}

test('every answer says what is left, in the fields of the draft', async () => {
  const { api, token } = await start()
  const first = await api.get('/mine', { token })
  expect(first.headers.get('ratelimit-policy')).toBe('"credential";q=5;w=60')
  expect(first.headers.get('ratelimit')).toBe('"credential";r=4;t=50')
  const open = await api.get('/open')
  expect(open.headers.get('ratelimit')).toBe('"address";r=3;t=50')
  const guarded = await api.post('/guarded')
  expect(guarded.headers.get('ratelimit-policy')).toBe('"address";q=4;w=60, "tight";q=3;w=60')
  expect(guarded.headers.get('ratelimit')).toBe('"address";r=2;t=50, "tight";r=2;t=50')
})

test('429: a caller over the limit waits for the next window, and then may go on', async () => {
  const { api, token } = await start()
  expect(await statuses(6, () => api.get('/mine', { token }))).toEqual([200, 200, 200, 200, 200, 429])
  const refused = await api.get('/mine', { token })
  expect(refused.headers.get('retry-after')).toBe('50')
  expect(refused.headers.get('ratelimit')).toBe('"credential";r=0;t=50')
  expect(refused.body.code).toBe('server.too_many_requests')
  nowMs += 50_000
  expect((await api.get('/mine', { token })).status).toBe(200)
})

test("a seller's own server has a budget beside the one of the seller", async () => {
  const person = await start()
  const machine = await start({ scopes: ['payments:read'] })
  expect(await statuses(6, () => person.api.get('/mine', { token: person.token }))).toContain(429)
  await person.rateLimits.synchronise()
  expect((await machine.api.get('/mine', { token: machine.token })).status).toBe(200)
  await machine.rateLimits.synchronise()
  expect((await machine.api.get('/mine', { token: machine.token })).headers.get('ratelimit')).toContain('r=3')
})

test('429: processes share the general limit once they have synchronised', async () => {
  const [left, right] = [await start(), await start()]
  await statuses(3, () => left.api.get('/mine', { token: left.token }))
  await statuses(1, () => right.api.get('/mine', { token: right.token }))
  await left.rateLimits.synchronise()
  await right.rateLimits.synchronise()
  expect(await statuses(2, () => right.api.get('/mine', { token: right.token }))).toEqual([200, 429])
})

test('a request that is counted while the processes synchronise is not lost', async () => {
  const { rateLimits } = await start()
  rateLimits.take('user:x', 10)
  const synchronised = rateLimits.synchronise()
  rateLimits.take('user:x', 10)
  await synchronised
  expect(rateLimits.peek('user:x', 10).remaining).toBe(7)
  await rateLimits.synchronise()
  expect(rateLimits.peek('user:x', 10).remaining).toBe(7)
})

test('429: processes share a tight limit exactly, also when all ask at once', async () => {
  const [left, right] = [await start(), await start()]
  const calls = [left, right, left, right, left, right].map(({ api }) => api.post('/guarded'))
  const found = (await Promise.all(calls)).map(({ status }) => status)
  expect(found.filter((status) => status === 200)).toHaveLength(3)
  expect(found.filter((status) => status === 429)).toHaveLength(3)
})

test('each guarded operation has its own tight limit', async () => {
  const { api } = await start()
  expect(await statuses(3, () => api.post('/guarded'))).toEqual([200, 200, 200])
  expect((await api.post('/also-guarded')).status).toBe(200)
})

test('429: guessing tokens uses up a budget of the address, and not the one of its callers', async () => {
  const { api, token } = await start()
  expect(await statuses(5, () => api.get('/mine', { token: 'guess' }))).toEqual([401, 401, 401, 401, 429])
  expect((await api.get('/mine', { token })).status).toBe(200)
})

test('an unknown path counts for the address, a probe does not', async () => {
  const { api } = await start()
  expect(await statuses(5, () => api.get('/nothing'))).toEqual([404, 404, 404, 404, 429])
  const probe = await api.get('/health/live')
  expect(probe.status).toBe(200)
  expect(probe.headers.get('ratelimit')).toBeNull()
})

test('old windows leave the table', async () => {
  const { rateLimits, pool } = await start()
  await rateLimits.takeExactly('address:old', 10)
  nowMs += 3 * WINDOW_MS
  await rateLimits.synchronise()
  const { rowCount } = await pool.query("select from rate_limits where bucket = 'address:old'")
  expect(rowCount).toBe(0)
})

test('a table that cannot be reached does not stop the general limit', async () => {
  const { rateLimits, pool } = await start()
  await pool.end()
  rateLimits.take('user:y', 2)
  await expect(rateLimits.synchronise()).rejects.toThrow()
  rateLimits.take('user:y', 2)
  expect(rateLimits.take('user:y', 2).allowed).toBe(false)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
  ['2001:db8:1:2:ffff::1', '20010db800010002/64'],
  ['2001:db8:1:3::1', '20010db800010003/64'],
])('the address %s counts as %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket)
})
