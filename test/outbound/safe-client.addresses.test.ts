import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSafeClient } from '../../src/outbound/safe-client.ts'
import { checkHost } from '../../src/outbound/url-rules.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'

/** Stands for the public internet: the one address that these tests allow. */
const OPEN = '127.0.0.1'
const CLOSED = '127.0.0.2'
const networks = { allowedNetworks: [`${OPEN}/32`] }

let server: FaultServer
let canary: FaultServer

beforeAll(async () => {
  server = await createFaultServer({ host: OPEN })
  canary = await createFaultServer({ host: CLOSED })
})
beforeEach(() => {
  server.requests.length = 0
})
afterAll(async () => {
  await Promise.all([server.close(), canary.close()])
})

const url = (hostname: string, { port } = server) => `http://${hostname}:${port}/status/200`

const callAll = async (urls: readonly string[], resolver: (name: string) => Promise<readonly string[]>) => {
  const client = createSafeClient({ ...networks, resolver })
  const results = []
  for (const each of urls) results.push(await client.post({ url: each, headers: {}, body: '' }))
  await client.close()
  return results
}

const blocked = { kind: 'failure', reason: 'blocked_address' }
const reached = { kind: 'response', status: 200 }

test.each([
  '127.0.0.2',
  '2130706434',
  '0177.0.0.2',
  '0x7f.2',
  '127.2',
  '127.0.0.2.',
  '[::ffff:127.0.0.2]',
  '１２７.0.0.2',
  '[::1]',
  '0',
  '169.254.169.254',
])('the literal %s is not called', async (host) => {
  const [result] = await callAll([url(host, canary)], async () => [OPEN])
  expect(result).toMatchObject(blocked)
  expect(canary.connectionsCount()).toBe(0)
})

test.each([
  ['a private A record', [CLOSED]],
  ['a private AAAA record alone', ['::1']],
  ['a mapped private address', ['::ffff:127.0.0.2']],
  ['an alias of an internal name', ['10.0.0.7']],
  ['a private beside a public answer', [OPEN, CLOSED]],
  ['a public beside a private answer', [CLOSED, OPEN]],
  ['something that is no address', ['localhost']],
])('a name with %s is not called', async (_case, answers) => {
  const [result] = await callAll([url('hooks.example.com', canary)], async () => answers)
  expect(result).toMatchObject(blocked)
  expect(JSON.stringify(result)).not.toMatch(/\d+\.\d+\.\d+|::/)
  expect([canary.connectionsCount(), server.requests.length]).toEqual([0, 0])
})

test('a name that turns from public to private is not called again', async () => {
  const answers = [[OPEN], [CLOSED], [OPEN, CLOSED]]
  const resolver = async () => answers.shift() ?? [CLOSED]
  const closing = `http://rebind.example.com:${server.port}/close-before-answer`
  const results = await callAll([closing, closing, closing, closing], resolver)
  expect(results).toMatchObject([{ reason: 'reset' }, blocked, blocked, blocked])
  expect([server.requests.length, canary.connectionsCount()]).toEqual([1, 0])
})

test('a name that was public when the URL was saved is judged again by the call', async () => {
  const answers = [[OPEN], [CLOSED]]
  const resolver = async () => answers.shift() ?? []
  expect(await checkHost(url('rebind.example.com'), resolver, networks)).toEqual({ ok: true })
  const [result] = await callAll([url('rebind.example.com', canary)], resolver)
  expect(result).toMatchObject(blocked)
  expect(canary.connectionsCount()).toBe(0)
})

test('a socket that ends at another address than the one that was checked is not used', async () => {
  // The system takes 0.0.0.0 for its own loopback.
  const client = createSafeClient({ allowedNetworks: ['0.0.0.0/32'], resolver: async () => ['0.0.0.0'] })
  expect(await client.post({ url: url('hooks.example.com'), headers: {}, body: '' })).toMatchObject(blocked)
  expect(await client.post({ url: url('0.0.0.0'), headers: {}, body: '' })).toMatchObject(blocked)
  expect(server.requests).toHaveLength(0)
  await client.close()
})

test('a name is resolved once per connection, and the connection goes where that answer said', async () => {
  const asked: string[] = []
  const resolver = async (name: string) => {
    asked.push(name)
    return [OPEN]
  }
  const urls = [url('hooks.example.com'), url('HOOKS.example.com.'), url('hooks.example.com')]
  expect(await callAll(urls, resolver)).toMatchObject([reached, reached, reached])
  expect(asked).toEqual(['hooks.example.com'])
  expect(server.requests[0]?.headers.host).toBe(`hooks.example.com:${server.port}`)
})

test.each(['ftp://hooks.example.com/', 'http://user@hooks.example.com/', 'nonsense'])(
  '%s is a failure without a lookup',
  async (bad) => {
    const asked: string[] = []
    const [result] = await callAll([bad], async (name) => {
      asked.push(name)
      return [OPEN]
    })
    expect(result).toMatchObject({ kind: 'failure', reason: 'other' })
    expect(asked).toEqual([])
  },
)

test.each(['ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT', 'ENODATA'])(
  'a lookup that ends with %s fails as dns',
  async (code) => {
    const [result] = await callAll([url('hooks.example.com')], () =>
      Promise.reject(Object.assign(new Error(`query ${code} 10.0.0.53`), { code })),
    )
    expect(result).toMatchObject({ kind: 'failure', reason: 'dns' })
    expect(JSON.stringify(result)).not.toContain('10.0.0.53')
  },
)

test('a name without any address fails as dns', async () => {
  expect(await callAll([url('hooks.example.com')], async () => [])).toMatchObject([{ reason: 'dns' }])
})

test('a lookup that never ends is cut off at the deadline', async () => {
  const client = createSafeClient({ ...networks, resolver: () => new Promise(() => undefined), connectTimeoutMs: 400 })
  const result = await client.post({ url: url('silent.example.com'), headers: {}, body: '', deadlineMs: 100 })
  expect(result).toMatchObject({ kind: 'failure', reason: 'timeout' })
  await client.close()
})

test('a port where nobody listens fails as refused', async () => {
  const listener = createServer().listen(0, OPEN)
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  listener.close()
  await once(listener, 'close')
  const urls = [`http://${OPEN}:${port}/`, `http://hooks.example.com:${port}/`]
  const results = await callAll(urls, async () => [OPEN])
  expect(results).toMatchObject([{ reason: 'refused' }, { reason: 'refused' }])
})
