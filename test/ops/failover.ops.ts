import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { type DatabaseAndStandby, startWithStandby } from '../support/standby.ts'
import { until } from '../support/until.ts'
import { freeze } from './frozen-postgres.ts'
import { outcomes, startLoad } from './load.ts'
import { openPlatform, paymentsOf } from './platform.ts'

const FOUND_WITHIN_MS = 5_000

const ask = async (url: string, ...queries: string[]) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const query of queries.slice(0, -1)) await client.query(query)
  const { rows } = await client.query(queries.at(-1) ?? '').finally(() => client.end())
  return rows[0]
}

const promote = async ({ standbyUrl }: DatabaseAndStandby): Promise<void> => {
  expect(await ask(standbyUrl, 'select pg_promote(true) as done')).toEqual({ done: true })
}

const DEMOTE = ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()']
const ALLOW_WRITES = [
  'set default_transaction_read_only = off',
  'alter system reset default_transaction_read_only',
  'select pg_reload_conf()',
]
const END_SESSIONS = `
  select count(pg_terminate_backend(pid)) from pg_stat_activity
  where application_name = 'payment-platform' and pid <> pg_backend_pid()`

/** How the primary goes away. Answers how it comes back, believing that it is still the one that is written. */
const ways: Record<string, (servers: DatabaseAndStandby) => Promise<(() => Promise<unknown>) | undefined>> = {
  'is stopped': async ({ stopPrimary }) => {
    await stopPrimary()
    return undefined
  },
  'hangs with its connections open': async ({ url }) => {
    const goOn = await freeze(url)
    return async () => goOn()
  },
  'is up and read-only': async ({ url }) => {
    await ask(url, ...DEMOTE)
    return () => ask(url, ...ALLOW_WRITES)
  },
}

test.each(Object.entries(ways))('payments go on at the promoted standby when the primary %s', async (_way, goAway) => {
  const servers = await startWithStandby()
  onTestFinished(servers.stop)
  const platform = await openPlatform(servers.urls)
  onTestFinished(platform.close)
  const server = await platform.start()
  const load = startLoad({ urls: [server.url], token: platform.seller.token, callers: 8, pauseMs: 5 })
  await until('payments are made', () => load.attempts.length > 100)
  expect(outcomes(load.attempts), server.output()).toEqual({ 201: load.attempts.length })

  const begunMs = performance.now()
  const comeBack = await goAway(servers)
  await promote(servers)
  const promotedAt = new Date().toISOString()
  const gone = load.attempts.length
  await until('payments are made again', () => outcomes(load.attempts.slice(gone))['201'])
  expect(performance.now() - begunMs).toBeLessThan(FOUND_WITHIN_MS)
  expect((await ask(servers.standbyUrl, 'select count(*)::int as count from payments')).count).toBeGreaterThan(100)
  await until('the process is ready', async () => (await server.api.get('/health/ready')).status === 200)

  // Both take writes now. Whoever has to connect again stays with the one that was promoted.
  await comeBack?.()
  await ask(servers.standbyUrl, END_SESSIONS)
  const ended = load.attempts.length
  await until('payments are made once more', () => (outcomes(load.attempts.slice(ended))['201'] ?? 0) > 50)
  const attempts = await load.stop()
  expect(Object.keys(outcomes(attempts)).filter((outcome) => !['201', '503'].includes(outcome))).toEqual([])

  // What was made before and not yet copied is gone: only a synchronous standby has it all.
  const created = attempts.flatMap(({ status, body }) => (status === 201 ? [JSON.parse(body)] : []))
  await until('a process that only reads has followed', async () => (await paymentsOf(platform)).has(created.at(-1).id))
  const payments = await paymentsOf(platform)
  const lost = created.filter(({ id, createdAt }) => createdAt > promotedAt && !payments.has(id))
  expect(lost.map(({ id }) => id)).toEqual([])
  expect(await proveLedger(createDatabase(platform.inside.sql))).toEqual([])
})
