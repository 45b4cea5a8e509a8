import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { readMetrics } from '../support/metrics.ts'
import { postPayment, sellingSeller } from '../support/payments.ts'
import { startEmbeddedServer, type TestServer } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'

let postgres: TestServer
let app: TestApp

beforeAll(async () => {
  postgres = await startEmbeddedServer()
  await migrate(postgres.adminUrl)
  // Servers of tests leave it off.
  await ask('alter database postgres set synchronous_commit = on')
  app = await startTestApp({}, { url: postgres.adminUrl, drop: async () => undefined })
})

afterAll(async () => {
  await app?.close()
  await postgres?.stop()
})

const ask = async (...queries: string[]): Promise<void> => {
  const admin = new Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  for (const query of queries) await admin.query(query)
  await admin.end()
}

const setSynchronousStandby = (name: string): Promise<void> =>
  ask(`alter system set synchronous_standby_names = '${name}'`, 'select pg_reload_conf()')

const waitingCommits = async (): Promise<number> =>
  Number(/^database_commits_waiting_for_standby (\S+)$/m.exec(await readMetrics(app))?.[1])

test('commits that wait for a lost synchronous standby are counted, and nothing is ready until they need not', async () => {
  const seller = await sellingSeller(app)
  expect(await waitingCommits()).toBe(0)
  await setSynchronousStandby('lost')
  const refused = postPayment(app, seller)
  await until('the metrics show it', async () => (await waitingCommits()) > 0)
  expect((await app.api.get('/health/ready')).status).toBe(503)
  expect((await app.api.get('status')).body.components.database).toBe('degraded')
  expect((await refused).status).toBe(503)
  await setSynchronousStandby('')
  await until('nothing waits', async () => (await waitingCommits()) === 0)
  expect((await app.api.get('/health/ready')).status).toBe(200)
  expect((await postPayment(app, seller)).status).toBe(201)
})
