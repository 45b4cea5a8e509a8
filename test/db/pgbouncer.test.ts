import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { REQUEST_LIMITS } from '../../src/db/limits.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { mainJob, payAtSandbox, type Walk } from '../journey/main-job.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const ADMIN_PASSWORD = 'a long administrator password'
const isThere = existsSync(PGBOUNCER)

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A pooler in transaction mode before a database: few connections of its own, settings and all as a stranger's would be. */
const startPgbouncer = async (databaseUrl: string) => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const listenPort = await freePort()
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${port} dbname=${database} user=${username}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 8',
    'max_client_conn = 200',
    'logfile = /dev/null',
  ]
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child: ChildProcess = spawn(PGBOUNCER, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...identity })
  const url = `postgres://${username}@127.0.0.1:${listenPort}/${database}`
  await until('the pooler answers', async () => {
    const client = new Client({ connectionString: url })
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

test('a pooler is there where it is mandatory', () => {
  if (!isThere) process.stdout.write('\n!! No pgbouncer here: NOTHING IS TRIED BEHIND A POOLER.\n\n')
  expect(process.env.PGBOUNCER_TESTS === 'required' && !isThere).toBe(false)
})

describe.runIf(isThere)('behind a pooler of connections in transaction mode, the main job', () => {
  let database: TestDatabase
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
  let dataDir: string
  const servers: ServerProcess[] = []
  let walk: Walk

  beforeAll(async () => {
    database = await createEmptyDatabase()
    pooler = await startPgbouncer(database.url)
    receiver = await startWebhookReceiver()
    dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-pooler-'))
    const secrets = { JWT_SECRET: 'a-secret-that-only-this-test-uses-0123456789', ENCRYPTION_KEY: 'k'.repeat(40) }
    const environment = { ...secrets, DATABASE_URL: pooler.url, DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'info' }
    // Two at once: they migrate the same empty database through the pooler.
    servers.push(...(await Promise.all([startServer({ environment }), startServer({ environment })])))
    const [{ api } = { api: undefined as never }] = servers
    const seller = { email: 'maria@example.com', password: 'uma senha bem comprida', token: '' }
    walk = {
      api,
      receiver,
      dataDir,
      adminPassword: ADMIN_PASSWORD,
      seller,
      admin: { token: '' },
      companyId: '',
      paymentId: '',
      payPix: payAtSandbox,
      withdrawalId: '',
      webhookSecret: '',
    }
  }, 90_000)

  afterAll(async () => {
    for (const server of servers) await server.stop()
    await receiver?.close()
    await pooler?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  for (const { name, run } of mainJob) {
    test(name, { timeout: 60_000 }, async () => {
      // Each step meets the other process.
      walk.api = servers.reverse()[0]?.api ?? walk.api
      await run(walk)
    })
  }

  test('no statement is kept where each transaction may run in another process', async () => {
    const pool = createPool({ url: pooler.url, max: 6, onError: () => undefined })
    const kept = () =>
      inTransaction(createDatabase(pool), async (tx) => {
        await tx.execute(sql`select pg_sleep(0.01)`)
        return (await tx.execute<{ count: string }>(sql`select count(*) from pg_prepared_statements`)).rows
      })
    const answers = await Promise.all(Array.from({ length: 120 }, kept))
    expect(new Set(answers.map((rows) => rows[0]?.count))).toStrictEqual(new Set(['0']))
    await pool.end()
  })

  test('each transaction brings its limits along, and leaves none behind for others', async () => {
    const pool = createPool({ url: pooler.url, max: 6, onError: () => undefined })
    const settings = sql`select setting::int from pg_settings where name in ('statement_timeout', 'lock_timeout') order by 1`
    const within = await inTransaction(createDatabase(pool), (tx) => tx.execute<{ setting: number }>(settings))
    const outside = await createDatabase(pool).execute<{ setting: number }>(settings)
    await pool.end()
    expect(within.rows.map(({ setting }) => setting)).toEqual([REQUEST_LIMITS.lockMs, REQUEST_LIMITS.statementMs])
    expect(outside.rows.map(({ setting }) => setting)).toEqual([0, 0])
  })
})
