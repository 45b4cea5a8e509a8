import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchServer, startPostgres } from '../../bench/support/postgres.ts'
import { newPaymentOf } from '../../src/areas/payments/payments.requests.ts'
import { createPaymentBody } from '../../src/areas/payments/payments.schemas.ts'
import { composeFoundation, type Foundation } from '../../src/compose/foundation.ts'
import { composeMoneyMoves } from '../../src/compose/money-moves.ts'
import { composeProviders } from '../../src/compose/providers.ts'
import { createDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Idempotency } from '../../src/idempotency/once.ts'
import type { Transact } from '../../src/repositories.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { percentile } from '../support/arrivals.ts'
import { sellingSeller } from '../support/payments.ts'

const BLOCKS = 300
const PAYMENTS_PER_BLOCK = 100
const AT_ONCE = 32
const COST_MAX = 1.15

let server: BenchServer
let app: TestApp

// A server whose commits are durable, as those of payments are.
beforeAll(async () => {
  server = await startPostgres()
  await server.admin('create database commit_cost')
  const url = server.urlOf('commit_cost')
  await migrate(url)
  app = await startTestApp({}, { url, drop: async () => undefined })
})
afterAll(async () => {
  await app.close()
  await server.stop()
})

const PAYMENT = newPaymentOf(createPaymentBody.parse({ method: 'pix', amount: 1_000 }))

const withoutEvents =
  (transact: Transact): Transact =>
  (work) =>
    transact((tx) => work(Object.create(tx, { events: { value: { ...tx.events, add: async () => undefined } } })))

const paymentsOf = (foundation: Foundation) =>
  composeMoneyMoves({ ...foundation, ...composeProviders(foundation, undefined), pixAccount: undefined }).services
    .payments

/** What a block of payments took, a few at once: time, and the processor's for it here and in Postgres. In milliseconds. */
type Cost = { elapsed: number; processor: number }

const backendsMs = async (): Promise<Map<number, number>> => {
  const { rows } = await app.sql.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  const readings = rows.map(async ({ pid }) => {
    const [nanoseconds = ''] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
    return [pid, Number(nanoseconds) / 1e6] as const
  })
  return new Map(await Promise.all(readings))
}

type Payments = ReturnType<typeof paymentsOf>
type KeyOf = (sellerId: string) => Idempotency | undefined

const withoutKey: KeyOf = () => undefined

let keys = 0
const withKey: KeyOf = (ownerId) => {
  keys += 1
  const request = { requestHash: 'a'.repeat(64), requestId: `request-${keys}`, replayed: false }
  return { ownerId, operation: 'POST /payments', key: `key-${keys}`, ...request }
}

const takeBlock = async (payments: Payments, sellerId: string, keyOf: KeyOf): Promise<Cost> => {
  const before = await backendsMs()
  const own = process.cpuUsage()
  const began = performance.now()
  let left = PAYMENTS_PER_BLOCK
  const keepPaying = async () => {
    while (left > 0) {
      left -= 1
      await payments.create(sellerId, PAYMENT, keyOf(sellerId))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepPaying))
  const elapsed = performance.now() - began
  const { user, system } = process.cpuUsage(own)
  const backends = [...(await backendsMs())].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0)
  return { elapsed, processor: (user + system) / 1_000 + backends }
}

test.each([
  ['without a key', withoutKey],
  ['with an idempotency key', withKey],
])('a payment %s pays at most 15 %% for its event', async (_, keyOf) => {
  const { config, clock, services, sql } = app
  const foundation = composeFoundation({ config, database: createDatabase(sql), clock, logger: services.logger })
  const told = paymentsOf(foundation)
  const untold = paymentsOf({ ...foundation, transact: withoutEvents(foundation.transact) })
  const seller = await sellingSeller(app)
  for (const payments of [told, untold, told, untold]) await takeBlock(payments, seller.id, keyOf)

  // Each block beside one of the other kind, in turn first and second: what the machine does meanwhile meets both.
  const pairs: { told: Cost; untold: Cost }[] = []
  for (let block = 0; block < BLOCKS; block += 1) {
    const first = await takeBlock(block % 2 === 0 ? told : untold, seller.id, keyOf)
    const second = await takeBlock(block % 2 === 0 ? untold : told, seller.id, keyOf)
    pairs.push(block % 2 === 0 ? { told: first, untold: second } : { told: second, untold: first })
  }
  const ratioOf = (measure: keyof Cost) =>
    percentile(
      pairs.map((pair) => pair.told[measure] / pair.untold[measure]),
      0.5,
    )
  const ratio = ratioOf('elapsed')
  const { rows } = await sql.query(
    "select count(*)::int as told from events where type = 'payment.created' and seller_id = $1",
    [seller.id],
  )
  process.stdout.write(
    `${JSON.stringify({ commitCostRatio: ratio, processorRatio: ratioOf('processor'), ...rows[0] })}\n`,
  )
  expect(rows[0].told).toBe((BLOCKS + 2) * PAYMENTS_PER_BLOCK)
  expect(ratio).toBeLessThan(COST_MAX)
})
