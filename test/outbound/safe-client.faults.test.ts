import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSafeClient, type SafeClientOptions } from '../../src/outbound/safe-client.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'

const loopback = { allowedNetworks: ['127.0.0.1/32'] }
const SHORT_MS = 150

let server: FaultServer
const clients: ReturnType<typeof createSafeClient>[] = []

const newClient = (options: Partial<SafeClientOptions> = {}) => {
  const client = createSafeClient({ ...loopback, ...options })
  clients.push(client)
  return client
}

const post = (path: string, client = newClient(), deadlineMs = 5_000) =>
  client.post({ url: server.url(path), headers: { 'content-type': 'application/json' }, body: '{"a":1}', deadlineMs })

const hitsOf = (path: string) => server.requests.filter((request) => request.path === path)

beforeAll(async () => {
  server = await createFaultServer()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  server.requests.length = 0
})
afterAll(() => server.close())

test('the request arrives byte for byte, once, with the headers given', async () => {
  const body = Buffer.from([0, 255, 10, 13, 128])
  const result = await newClient().post({
    url: server.url('/body?a=%20b'),
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    body,
  })
  expect(result).toMatchObject({ kind: 'response', status: 200 })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({
    path: '/body?a=%20b',
    headers: {
      host: `127.0.0.1:${server.port}`,
      'content-length': '5',
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'accept-encoding': 'identity',
    },
  })
  expect(server.requests[0]?.body.equals(body)).toBe(true)
})

test.each([200, 201, 202, 204, 299, 400, 401, 404, 410, 429, 500, 503])('%i is an answer', async (status) => {
  expect(await post(`/status/${status}`)).toMatchObject({ kind: 'response', status })
})

test.each([300, 301, 302, 303, 304, 307, 308])(
  '%i is an answer too, and its Location is not visited',
  async (status) => {
    const metadata = await createFaultServer({ host: '127.0.0.2' })
    const location = encodeURIComponent(metadata.url('/status/200'))
    expect(await post(`/status/${status}?location=${location}`)).toMatchObject({ kind: 'response', status })
    expect(server.requests).toHaveLength(1)
    expect(metadata.connectionsCount()).toBe(0)
    await metadata.close()
  },
)

test.each(['120', 'Wed, 21 Oct 2015 07:28:00 GMT', '1e9', '-1', 'soon'])(
  'Retry-After %s is passed on',
  async (value) => {
    const result = await post(`/status/429?retry-after=${encodeURIComponent(value)}`)
    expect(result).toMatchObject({ kind: 'response', status: 429, headers: { retryAfter: value } })
  },
)

test('without Retry-After there is none', async () => {
  expect(await post('/status/429')).toMatchObject({ headers: {} })
})

test.each(['/hang', '/headers-then-hang', '/half-header-then-hang', '/drip', '/drip-headers', '/chunked-without-end'])(
  '%s ends at the deadline',
  async (path) => {
    const result = await post(path, newClient(), SHORT_MS)
    expect(result).toMatchObject({ kind: 'failure', reason: 'timeout' })
    expect(result.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 5)
    expect(result.durationMs).toBeLessThan(SHORT_MS * 10)
  },
)

test.each(['/endless', '/huge-content-length', '/endless-chunked'])(
  '%s is a success as soon as enough of it was read',
  async (path) => {
    const result = await post(path)
    expect(result).toMatchObject({ kind: 'response', status: 200, bodySnippet: 'x'.repeat(1024) })
  },
)

test('an endless error keeps its status', async () => {
  expect(await post('/endless-error')).toMatchObject({ kind: 'response', status: 500 })
})

test('a gzip bomb is not unpacked', async () => {
  const before = process.memoryUsage().rss
  expect(await post('/gzip-bomb')).toMatchObject({ kind: 'response', status: 200 })
  expect(process.memoryUsage().rss - before).toBeLessThan(25 * 1024 * 1024)
})

test.each([
  ['/large-header', 'too_large'],
  ['/interim-flood', 'protocol'],
  ['/continue-unasked', 'protocol'],
  ['/http-0.9', 'protocol'],
  ['/reset-mid-body', 'reset'],
  ['/close-mid-body', 'reset'],
  ['/close-mid-header', 'reset'],
  ['/close-before-answer', 'reset'],
  ['/reset-before-answer', 'reset'],
])('%s fails as %s, after one request', async (path, reason) => {
  expect(await post(path)).toMatchObject({ kind: 'failure', reason })
  expect(hitsOf(path)).toHaveLength(1)
})

test('a few early hints do no harm', async () => {
  expect(await post('/early-hints')).toMatchObject({ kind: 'response', status: 200 })
})

test.each(['/no-content-with-body', '/two-answers'])('%s spoils no later call on the same client', async (path) => {
  const client = newClient()
  const statuses = []
  for (const each of [path, '/status/201', path, '/status/201']) statuses.push(await post(each, client))
  expect(statuses).toMatchObject([{ status: expect.any(Number) }, { status: 201 }, {}, { status: 201 }])
})

test('calls one after the other share a connection', async () => {
  const client = newClient()
  for (let call = 0; call < 5; call += 1) await post('/status/200', client)
  expect(server.requests.map(({ requestOfConnection }) => requestOfConnection)).toEqual([1, 2, 3, 4, 5])
})

test.each(['/close-at-second', '/reset-at-second'])(
  '%s: a kept-alive socket that closes under a call costs one more request, on a new connection',
  async (path) => {
    const client = newClient()
    expect(await post(path, client)).toMatchObject({ kind: 'response', status: 200 })
    expect(await post(path, client)).toMatchObject({ kind: 'response', status: 200, bodySnippet: 'kept alive' })
    expect(server.requests.map(({ requestOfConnection }) => requestOfConnection)).toEqual([1, 2, 1])
    expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"a":1}'))
  },
)

test('a kept-alive socket that closes within an answer is not tried again', async () => {
  const client = newClient()
  await post('/half-answer-at-second', client)
  expect(await post('/half-answer-at-second', client)).toMatchObject({ kind: 'failure', reason: 'reset' })
  expect(server.requests).toHaveLength(2)
})

test('a connection that is closed after its answer leaves no trace on the next call', async () => {
  const client = newClient()
  await post('/status/200?connection=close', client)
  expect(await post('/close-before-answer', client)).toMatchObject({ kind: 'failure', reason: 'reset' })
  expect(hitsOf('/close-before-answer')).toHaveLength(1)
})

test('no more than the given number of sockets go to one origin, and the rest wait their turn', async () => {
  const client = newClient({ socketsPerOriginMax: 3 })
  const before = server.connectionsCount()
  const results = await Promise.all(Array.from({ length: 30 }, () => post('/status/200', client)))
  expect(results.filter(({ kind }) => kind === 'response')).toHaveLength(30)
  expect(server.connectionsCount() - before).toBe(3)
})

test('waiting for a socket counts towards the deadline, and a dead call makes room for the next', async () => {
  const client = newClient({ socketsPerOriginMax: 1 })
  const [hanging, waiting, patient] = [
    post('/hang', client, SHORT_MS),
    post('/status/200', client, SHORT_MS / 3),
    post('/status/201', client),
  ]
  expect(await waiting).toMatchObject({ kind: 'failure', reason: 'timeout' })
  expect(await hanging).toMatchObject({ kind: 'failure', reason: 'timeout' })
  expect(await patient).toMatchObject({ kind: 'response', status: 201 })
  expect(server.requests.map(({ path }) => path)).toEqual(['/hang', '/status/201'])
})

test('idle sockets of other origins make room when there are too many', async () => {
  const other = await createFaultServer()
  const client = newClient({ socketsMax: 1 })
  await post('/status/200', client)
  await client.post({ url: other.url('/status/200'), headers: {}, body: '' })
  await post('/status/200', client)
  expect(server.requests.map(({ requestOfConnection }) => requestOfConnection)).toEqual([1, 1])
  await other.close()
})

test('an idle socket is closed after the idle time', async () => {
  const client = newClient({ idleTimeoutMs: 20 })
  const before = server.connectionsCount()
  await post('/status/200', client)
  expect(server.connectionsCount() - before).toBe(1)
  await expect.poll(server.openConnectionsCount).toBe(0)
  await expect.poll(client.socketsCount).toBe(0)
  expect(await post('/status/200', client)).toMatchObject({ kind: 'response' })
})

test('after close there are no calls and no sockets, and what was under way has ended', async () => {
  const client = createSafeClient(loopback)
  const underWay = post('/status/200', client)
  await client.close()
  expect(await underWay).toMatchObject({ kind: 'response', status: 200 })
  expect(await post('/status/200', client)).toMatchObject({ kind: 'failure', reason: 'other' })
  await expect.poll(server.openConnectionsCount).toBe(0)
})

test('a proxy in the environment is not used', async () => {
  const proxy = await createFaultServer()
  for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy']) vi.stubEnv(name, proxy.url(''))
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect(await post('/status/200')).toMatchObject({ kind: 'response', status: 200 })
  vi.unstubAllEnvs()
  expect(proxy.connectionsCount()).toBe(0)
  await proxy.close()
})

test.each([
  ['half a character at the cut', Buffer.from(`${'a'.repeat(1023)}é`), 'a'.repeat(1023)],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x28]), 'a\uFFFD\uFFFD('],
  ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
  ['a byte order mark', Buffer.from('\uFEFFa'), '\uFEFFa'],
  ['emoji', Buffer.from('🧾'.repeat(300)), '🧾'.repeat(256)],
])('the snippet is text: %s', async (_case, body, snippet) => {
  const result = await newClient().post({ url: server.url('/body'), headers: {}, body })
  expect(result).toMatchObject({ kind: 'response', bodySnippet: snippet })
  expect(result.kind === 'response' && result.bodySnippet.isWellFormed()).toBe(true)
})

test('a header that cannot be sent is a failure, not a throw', async () => {
  const result = await newClient().post({ url: server.url('/body'), headers: { 'x-bad': 'a\r\nb: c' }, body: '' })
  expect(result).toMatchObject({ kind: 'failure', reason: 'other' })
  expect(server.requests).toHaveLength(0)
})
