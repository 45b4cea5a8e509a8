import { chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterIn } from '../../src/db/embedded/cluster.ts'
import { keptFolders } from '../../src/db/embedded/place.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { TEST_ENVIRONMENT } from '../support/app.ts'
import { createAuthority } from '../support/certificates.ts'
import { startServer } from '../support/server-process.ts'

const RULES = join(import.meta.dirname, '../../ops/postgres/pg_hba.conf')

let folder: string
let postgres: EmbeddedPostgres

const ask = async (url: string, text: string) => {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-platform-tls-'))
  const dataDir = join(folder, 'database')
  postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, error: () => undefined } })
  const cluster = clusterIn((await keptFolders(dataDir)).home)
  const authority = createAuthority()
  const { key, cert } = authority.issue({ hosts: ['127.0.0.1'] })
  await writeFile(join(folder, 'authority.crt'), authority.cert)
  await writeFile(join(folder, 'other.crt'), createAuthority('Another authority').cert)
  const { uid, gid } = await stat(cluster)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    await writeFile(join(cluster, name), text, { mode: 0o600 })
    await chown(join(cluster, name), uid, gid)
  }
  await ask(postgres.url, 'alter system set ssl = on')
  await copyFile(RULES, join(cluster, 'pg_hba.conf'))
  await ask(postgres.url, 'select pg_reload_conf()')
})

afterAll(async () => {
  await postgres.stop()
  await removeEmbeddedPostgres(join(folder, 'database'))
  await rm(folder, { recursive: true, force: true })
})

const verified = (certificate: string): string =>
  `${postgres.url}?sslmode=verify-full&sslrootcert=${join(folder, certificate)}`

test('a Postgres of the compose file for production takes TLS alone', async () => {
  await expect(ask(`${postgres.url}?sslmode=disable`, 'select 1')).rejects.toThrow(/no encryption/)
})

test('the platform reaches it where its certificate is the one that was given, and nowhere else', {
  timeout: 90_000,
}, async () => {
  const start = (url: string) =>
    startServer({
      environment: { ...TEST_ENVIRONMENT, LOG_LEVEL: 'info', DATABASE_URL: url, DATA_DIR: join(folder, 'data') },
    })
  await expect(start(verified('other.crt'))).rejects.toThrow(/ended with 1/)
  const server = await start(verified('authority.crt'))
  try {
    expect(await server.api.get('/health/ready')).toMatchObject({ status: 200 })
    const [connections] = await ask(
      verified('authority.crt'),
      "select count(*)::int, bool_and(ssl) as encrypted from pg_stat_ssl join pg_stat_activity using (pid) where backend_type = 'client backend'",
    )
    expect(connections).toMatchObject({ encrypted: true })
    expect(connections.count).toBeGreaterThan(1)
  } finally {
    await server.stop()
  }
})
