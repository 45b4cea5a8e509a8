import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { createChainLedger } from '../../src/jobs/chain-ledger.ts'
import { createProveLedger } from '../../src/jobs/prove-ledger.ts'
import { chainKey } from '../../src/ledger/chain-seal.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { registerSeller } from '../support/factories.ts'
import { readMetrics } from '../support/metrics.ts'

const HOUR_MS = 3_600_000
const KEY = chainKey('k'.repeat(32))

type Logged = { findings?: { check: string; sellerId: string }[]; findingsCount?: number; anchor?: string }

let app: TestApp
let now: Date
let errors: Logged[]
let infos: Logged[]

beforeEach(async () => {
  app = await startTestApp()
  now = new Date()
  errors = []
  infos = []
  await app.services.workerHeartbeats.beat('worker', new Date())
})

afterEach(() => app.close())

const wallClock: Clock = { now: () => now }

const jobOf = () => {
  const logger = {
    error: (fields: Logged) => errors.push(fields),
    info: (fields: Logged) => infos.push(fields),
  }
  const foundation = { ...app.services, wallClock, key: KEY, findKeys: async () => [KEY], logger: logger as never }
  return createProveLedger({ ...foundation, chainLedger: createChainLedger(foundation) })
}

/** What a worker does each minute. Answers how many steps there were. */
const runAll = async (): Promise<number> => {
  const job = jobOf()
  let steps = 0
  while ((await job.runOnce()) > 0) steps += 1
  return steps
}

const gauge = async (name: string): Promise<number | undefined> => {
  const text = await readMetrics(app)
  const [, figure] = new RegExp(`^${name} (.+)$`, 'm').exec(text) ?? []
  return figure === undefined ? undefined : Number(figure)
}

const stateOf = async () => {
  const { status, components } = (await app.api.get('status')).body
  return [status, components.ledger]
}

const setLosses = (sellerId: string, amount: number) =>
  app.sql.query(`update ledger_accounts set balance_amount = $2 where seller_id = $1 and account = 'losses'`, [
    sellerId,
    amount,
  ])

test('a fault is found by night, shown in status, metrics and log, and gone an hour after its repair', async () => {
  const seller = await registerSeller(app)
  expect(await stateOf()).toEqual(['ok', 'ok'])
  expect(await gauge('ledger_proof_findings')).toBeUndefined()

  await setLosses(seller.id, 7)
  expect(await runAll()).toBe(2)
  expect(await stateOf()).toEqual(['degraded', 'degraded'])
  expect(await gauge('ledger_proof_findings')).toBe(2)
  expect(await gauge('ledger_proof_finished_timestamp_seconds')).toBeCloseTo(now.getTime() / 1_000, 1)
  expect(await gauge('ledger_proof_duration_seconds')).toBeGreaterThanOrEqual(0)
  expect(errors.map(({ findings }) => findings?.map(({ check, sellerId }) => [check, sellerId]))).toEqual([
    [
      ['balances equal their postings', seller.id],
      ['books sum to zero', seller.id],
    ],
  ])

  await setLosses(seller.id, 0)
  expect(await runAll()).toBe(0)
  now = new Date(now.getTime() + HOUR_MS)
  expect(await runAll()).toBe(2)
  expect(await stateOf()).toEqual(['ok', 'ok'])
  expect(await gauge('ledger_proof_findings')).toBe(0)
  expect(infos.map(({ findingsCount }) => findingsCount)).toEqual([2, 0])
  expect(infos.every(({ anchor }) => /^[0-9a-f]{64}$/.test(anchor ?? ''))).toBe(true)
})

test('a proof is made once a night, from three o’clock in São Paulo, late where no worker ran', async () => {
  now = new Date('2026-12-01T05:59:59.000Z')
  expect(await runAll()).toBe(2)
  expect(await runAll()).toBe(0)
  now = new Date('2026-12-01T06:00:00.000Z')
  expect(await runAll()).toBe(2)
  now = new Date('2026-12-02T05:59:59.000Z')
  expect(await runAll()).toBe(0)
  now = new Date('2026-12-05T20:00:00.000Z')
  expect(await runAll()).toBe(2)
  expect(await runAll()).toBe(0)
})

test('a ledger that nobody proved for two days makes the status degraded', async () => {
  now = new Date(Date.now() - 47 * HOUR_MS)
  await runAll()
  expect(await stateOf()).toEqual(['ok', 'ok'])
  await app.sql.query(`update ledger_proofs set finished_at = finished_at - interval '2 hours'`)
  expect(await stateOf()).toEqual(['degraded', 'degraded'])
})

test('what a killed process had proven stays proven: the next goes on after it', async () => {
  const sellers = await Promise.all(Array.from({ length: 3 }, () => registerSeller(app)))
  const [first, , last] = sellers.map(({ id }) => id).sort()
  await setLosses(first ?? '', 7)
  await setLosses(last ?? '', 7)
  await jobOf().runOnce()
  // As if a step had ended with the first book.
  await app.sql.query('update ledger_proofs set proven_through = $1, books_count = 1, findings_count = 5', [first])
  expect(await runAll()).toBe(1)
  const proof = await app.services.read.ledgerProofs.findLatest()
  expect(proof).toMatchObject({ booksCount: 3, findingsCount: 7 })
  expect(new Set(proof?.findings.map(({ sellerId }) => sellerId))).toEqual(new Set([last]))
})

test('many processes at once make one proof of each night', async () => {
  await Promise.all(Array.from({ length: 3 }, () => registerSeller(app)))
  await Promise.all(Array.from({ length: 4 }, runAll))
  const { rows } = await app.sql.query('select books_count from ledger_proofs')
  expect(rows).toEqual([{ books_count: 3 }])
})

test('the chain is made before it is proven, and a broken one is found', async () => {
  const seller = await registerSeller(app)
  await app.services.transact((tx) =>
    tx.ledger.post(
      [
        {
          sellerId: seller.id,
          kind: 'payment_received',
          referenceType: 'payment',
          referenceId: app.services.newId(),
          description: 'Payment received, less its fee',
          postings: [
            { account: 'clearing', amount: -100 },
            { account: 'available', amount: 100 },
          ],
        } as never,
      ],
      new Date(now.getTime() - 240 * HOUR_MS),
    ),
  )
  await runAll()
  expect(await gauge('ledger_proof_findings')).toBe(0)
  await app.sql.query('alter table ledger_transfers disable trigger user')
  await app.sql.query(`update ledger_transfers set description = 'A gift'`)
  now = new Date(now.getTime() + 24 * HOUR_MS)
  await runAll()
  expect(errors[0]?.findings).toEqual([
    expect.objectContaining({ check: 'postings are as the chain sealed them', sellerId: seller.id }),
  ])
})
