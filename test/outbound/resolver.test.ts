import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDnsResolver, createSystemResolver } from '../../src/outbound/resolver.ts'
import { createSafeClient } from '../../src/outbound/safe-client.ts'
import { checkHost } from '../../src/outbound/url-rules.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'
import { createNameServer } from '../support/name-server.ts'

const networks = { allowedNetworks: ['127.0.0.1/32'] }

let names: Awaited<ReturnType<typeof createNameServer>>
let server: FaultServer

beforeAll(async () => {
  server = await createFaultServer()
  names = await createNameServer({
    'both.example.com': { addresses: ['8.8.8.8', '8.8.4.4', '2606:4700:4700::1111'] },
    'six.example.com': { addresses: ['fd00::1'] },
    'alias.example.com': { aliasOf: 'internal.example.com', addresses: ['10.0.0.7'] },
    'loop.example.com': { aliasOf: 'loop.example.com' },
    'open.example.com': { addresses: ['127.0.0.1'] },
    'mixed.example.com': { addresses: ['127.0.0.1', '::1'] },
    'broken.example.com': { failure: 2 },
    'refused.example.com': { failure: 5 },
    'silent.example.com': { silent: true },
    'empty.example.com': {},
  })
})
afterAll(async () => {
  await Promise.all([names.close(), server.close()])
})

const resolver = () => createDnsResolver({ servers: [names.server], timeoutMs: 50 })

test('the addresses of both families are one answer', async () => {
  const answers = await resolver()('both.example.com')
  expect([...answers].sort()).toEqual(['2606:4700:4700::1111', '8.8.4.4', '8.8.8.8'])
})

test('localhost is loopback without asking anyone', async () => {
  expect(await resolver()('localhost')).toEqual(['127.0.0.1', '::1'])
  expect(await resolver()('db.localhost')).toEqual(['127.0.0.1', '::1'])
  expect(names.asked.filter((name) => name.endsWith('localhost'))).toEqual([])
})

test('the system knows localhost', async () => {
  expect(await createSystemResolver()('localhost')).toContain('127.0.0.1')
})

test.each(['six.example.com', 'alias.example.com', 'mixed.example.com'])(
  '%s is refused when saved and when called',
  async (name) => {
    const url = `http://${name}:${server.port}/status/200`
    expect(await checkHost(url, resolver(), networks)).toEqual({ ok: false, reason: 'blocked_address' })
    const client = createSafeClient({ ...networks, resolver: resolver() })
    expect(await client.post({ url, headers: {}, body: '' })).toMatchObject({ reason: 'blocked_address' })
    expect(server.connectionsCount()).toBe(0)
    await client.close()
  },
)

test.each(['missing', 'broken', 'refused', 'silent', 'empty', 'loop'])(
  '%s.example.com passes when saved and fails as dns when called',
  async (label) => {
    const url = `http://${label}.example.com:${server.port}/status/200`
    expect(await checkHost(url, resolver(), networks)).toEqual({ ok: true })
    const client = createSafeClient({ ...networks, resolver: resolver() })
    expect(await client.post({ url, headers: {}, body: '' })).toMatchObject({ kind: 'failure', reason: 'dns' })
    await client.close()
  },
)

test('a name that leads to an open address is called', async () => {
  const client = createSafeClient({ ...networks, resolver: resolver() })
  const url = `http://open.example.com:${server.port}/status/200`
  expect(await client.post({ url, headers: {}, body: '' })).toMatchObject({ kind: 'response', status: 200 })
  await client.close()
})
