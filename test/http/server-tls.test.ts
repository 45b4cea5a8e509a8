import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createAuthority } from '../support/certificates.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

const run = promisify(execFile)
const HEALTHY = join(import.meta.dirname, '..', '..', 'scripts', 'healthy.ts')
const authority = createAuthority()

let folder: string
let database: TestDatabase
let server: Awaited<ReturnType<typeof startHttpServer>>

const renew = async (host: string): Promise<void> => {
  const { key, cert } = authority.issue({ hosts: [host, '127.0.0.1'] })
  await writeFile(join(folder, 'server.key'), key)
  await writeFile(join(folder, 'server.crt'), cert)
}

const files = () => ({
  TLS_CERTIFICATE_FILE: join(folder, 'server.crt'),
  TLS_CERTIFICATE_KEY_FILE: join(folder, 'server.key'),
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-tls-'))
  await renew('first.example')
  database = await createTestDatabase()
  server = await startHttpServer({ databaseUrl: database.url, environment: files() })
})
afterAll(async () => {
  await server.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

type Options = { ca?: string; minVersion?: 'TLSv1'; maxVersion?: 'TLSv1.1'; ciphers?: string }

/** The status, and the names of the certificate that was shown. Each call has a connection of its own. */
const ask = (path: string, { ca = authority.cert, ...options }: Options = {}) =>
  new Promise<{ status: number | undefined; names: string | undefined }>((resolve, reject) => {
    get(new URL(path, server.url), { ca, agent: false, ...options }, (response) => {
      const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname
      response.resume().on('end', () => resolve({ status: response.statusCode, names }))
    }).on('error', reject)
  })

test('with a certificate the port speaks TLS from 1.2 on, and nothing else', async () => {
  expect(server.url).toMatch(/^https:/)
  expect(await ask('/health/live')).toMatchObject({ status: 200, names: expect.stringContaining('first.example') })
  await expect(ask('/health/live', { ca: createAuthority('Another').cert })).rejects.toThrow(/certificate/)
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await expect(ask('/health/live', old)).rejects.toThrow(/version|alert/)
  await expect(fetch(server.url.replace('https:', 'http:'))).rejects.toThrow()
})

test('a certificate that was renewed is shown to the next who connects, and half of one to nobody', async () => {
  await renew('second.example')
  expect((await ask('/health/live')).names).toContain('second.example')
  await writeFile(join(folder, 'server.crt'), 'not yet written')
  expect((await ask('/health/live')).names).toContain('second.example')
  await renew('third.example')
  expect((await ask('/health/live')).names).toContain('third.example')
})

test('files that make no certificate, and one without the other, stop the start in one line', async () => {
  const wrong = { ...files(), TLS_CERTIFICATE_KEY_FILE: join(folder, 'nowhere.key') }
  await expect(startHttpServer({ databaseUrl: database.url, environment: wrong })).rejects.toThrow(
    /nowhere\.key does not exist$/,
  )
  expect(() => loadConfig({ TLS_CERTIFICATE_FILE: '/server.crt' })).toThrow(/TLS_CERTIFICATE_KEY_FILE: must be set/)
})

test('the health check of the image asks by TLS too', async () => {
  const { port } = new URL(server.url)
  const check = (changes: Record<string, string>) =>
    run(process.execPath, [HEALTHY], { env: { PORT: port, ...files(), ...changes } })
  await check({})
  await expect(check({ TLS_CERTIFICATE_FILE: '' })).rejects.toMatchObject({ code: 1 })
})
