import type { TlsOptions } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createSafeClient } from '../../src/outbound/safe-client.ts'
import { createAuthority, selfSigned } from '../support/certificates.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'

const HOST = 'hooks.example.com'
const DAY_MS = 86_400_000
const authority = createAuthority()
const good = authority.issue({ hosts: [HOST, '127.0.0.1'] })

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const serve = async (tls?: TlsOptions): Promise<FaultServer> => {
  const server = await createFaultServer(tls && { tls })
  cleanups.push(server.close)
  return server
}

const newClient = (connectTimeoutMs = 5_000) => {
  const client = createSafeClient({
    allowedNetworks: ['127.0.0.1/32'],
    resolver: async () => ['127.0.0.1'],
    trustedCertificates: [authority.cert],
    connectTimeoutMs,
  })
  cleanups.push(client.close)
  return client
}

const post = (client: ReturnType<typeof newClient>, { port }: FaultServer, path = '/status/200', host = HOST) =>
  client.post({ url: `https://${host}:${port}${path}`, headers: {}, body: '{}', deadlineMs: 5_000 })

test('a trusted certificate for the name is accepted, and its connection is used again', async () => {
  const [server, client] = [await serve(good), newClient()]
  expect(await post(client, server)).toMatchObject({ kind: 'response', status: 200 })
  expect(await post(client, server)).toMatchObject({ kind: 'response', status: 200 })
  expect(server.connectionsCount()).toBe(1)
  expect(await post(client, server, '/status/200', '127.0.0.1')).toMatchObject({ kind: 'response', status: 200 })
})

test.each([
  [
    'expired',
    authority.issue({
      hosts: [HOST],
      validFrom: new Date(Date.now() - 2 * DAY_MS),
      validUntil: new Date(Date.now() - DAY_MS),
    }),
    'CERT_HAS_EXPIRED',
  ],
  [
    'not yet valid',
    authority.issue({ hosts: [HOST], validFrom: new Date(Date.now() + DAY_MS / 2) }),
    'CERT_NOT_YET_VALID',
  ],
  ['for another name', authority.issue({ hosts: ['other.example.com'] }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['self-signed', selfSigned({ hosts: [HOST] }), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['of an unknown authority', createAuthority('Unknown').issue({ hosts: [HOST] }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])('a certificate that is %s is refused, every time', async (_case, identity, code) => {
  const [server, client] = [await serve({ ...identity, maxVersion: 'TLSv1.2' }), newClient()]
  for (const _attempt of [1, 2]) {
    const result = await post(client, server)
    expect(result).toMatchObject({ kind: 'failure', reason: 'tls', detail: expect.stringContaining(code) })
  }
  expect(server.requests).toHaveLength(0)
})

test('a certificate that goes bad between two calls is refused at the second', async () => {
  const client = newClient()
  const server = await serve(good)
  expect(await post(client, server, '/close-at-second')).toMatchObject({ kind: 'response' })
  const swapped = await serve(selfSigned({ hosts: [HOST] }))
  expect(await post(client, swapped)).toMatchObject({ kind: 'failure', reason: 'tls' })
})

test('TLS below 1.2 is refused', async () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  expect(await post(newClient(), await serve({ ...good, ...old }))).toMatchObject({ kind: 'failure', reason: 'tls' })
})

test('a handshake that hangs is cut off at the time limit for connecting', async () => {
  const server = await serve()
  const result = await newClient(200).post({ url: `https://127.0.0.1:${server.port}/`, headers: {}, body: '' })
  expect(result).toMatchObject({ kind: 'failure', reason: 'timeout' })
})

test('a kept-alive TLS socket that closes under a call costs one more request', async () => {
  const [server, client] = [await serve(good), newClient()]
  expect(await post(client, server, '/close-at-second')).toMatchObject({ kind: 'response' })
  expect(await post(client, server, '/close-at-second')).toMatchObject({ kind: 'response' })
  expect(server.requests.map(({ requestOfConnection }) => requestOfConnection)).toEqual([1, 2, 1])
})
