import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { startEmbeddedServer, type TestServer } from '../support/postgres-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { freeze } from './frozen-postgres.ts'
import { askForPayment, outcomes, startLoad } from './load.ts'
import { openPlatform, type Platform, paymentsOf } from './platform.ts'

const ANSWERED_WITHIN_MS = 5_000

let postgres: TestServer
let platform: Platform
let server: ServerProcess

beforeAll(async () => {
  postgres = await startEmbeddedServer()
  await migrate(postgres.adminUrl)
  platform = await openPlatform(postgres.adminUrl)
  server = await platform.start()
}, 120_000)

afterAll(async () => {
  await platform?.close()
  await postgres?.stop()
})

/** An answer with the time that it took. */
const timed = async (path: string) => {
  const begunMs = performance.now()
  const { status, headers, body } = await server.api.get(path, { token: platform.seller.token })
  return { path, status, retryAfter: headers.get('retry-after'), body, ms: performance.now() - begunMs }
}

const refused = { status: 503, retryAfter: '1' }

test('503 within five seconds while the database hangs, well again once it goes on, and nothing is lost', {
  timeout: 90_000,
}, async () => {
  const { token } = platform.seller
  const load = startLoad({ urls: [server.url], token, callers: 20 })
  await until('payments are made', () => load.attempts.length > 100)
  expect(outcomes(load.attempts), server.output()).toEqual({ 201: load.attempts.length })

  const goOn = await freeze(postgres.adminUrl)
  const before = load.attempts.length
  const paths = ['balance', 'payments', 'dashboard/summary', 'transactions', '/health/ready']
  const ask = () => Promise.all(paths.map(timed))
  const [first, status, later] = await (async () => {
    const refusals = await ask()
    const seen = await timed('status')
    // Those who come later, when every connection is known to be dead, wait no longer.
    await until('everybody was refused again', () => load.attempts.length > before + 60, 30_000)
    return [refusals, seen, await ask()] as const
  })().finally(goOn)
  const hung = load.attempts.slice(before)
  for (const answer of [...first, ...later]) expect(answer).toMatchObject(refused)
  expect(status).toMatchObject({ status: 200, body: { components: { database: 'down' } } })

  const slowest = Math.max(...[...first, ...later, ...hung].map(({ ms }) => ms))
  expect(slowest).toBeLessThan(ANSWERED_WITHIN_MS)
  expect(Object.keys(outcomes(hung)).every((outcome) => ['201', '503'].includes(outcome))).toBe(true)
  expect(hung.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '1')).toEqual([])

  const healed = load.attempts.length
  await until('payments are made again', () => outcomes(load.attempts.slice(healed))['201'])
  expect((await timed('/health/ready')).status).toBe(200)
  const attempts = await load.stop()

  const payments = await paymentsOf(platform)
  const acknowledged = attempts.filter(({ status }) => status === 201)
  expect(acknowledged.filter(({ body }) => !payments.has(JSON.parse(body).id))).toEqual([])
  // Who was refused asks again under the same key: that makes what is missing, and nothing twice.
  const others = attempts.filter(({ status }) => status !== 201)
  const again = await Promise.all(others.map(({ key }) => askForPayment(server.url, token, key)))
  expect(outcomes(again)).toEqual({ 201: others.length })
  expect((await paymentsOf(platform)).size).toBe(attempts.length)
  expect(await proveLedger(createDatabase(platform.inside.sql))).toEqual([])
})
