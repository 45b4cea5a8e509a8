import { randomInt } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { type RunResult, runModel } from './run.ts'

const adminUrl = inject('postgresAdminUrl')
const STEPS = 500
const TIMEOUT_MS = 180_000
const HAPPENING = [
  'payment paid',
  'payment refunded',
  'refund failed',
  'dispute lost',
  'reserve hold released',
  'link completed',
  'withdrawal completed',
]

const expectAgreement = ({ failure, steps }: RunResult, atLeast: number): void => {
  expect(failure).toBeUndefined()
  expect(steps).toBeGreaterThanOrEqual(atLeast)
}

test('the platform does what the model says, in a story that is always the same', { timeout: TIMEOUT_MS }, async () => {
  const result = await runModel({ adminUrl, seed: '23', steps: STEPS, sellers: 8 })
  expectAgreement(result, STEPS)
  // A story in which nothing happens proves nothing.
  const { counts } = result
  for (const what of HAPPENING) expect(counts[what], what).toBeGreaterThan(0)
})

test('the platform does what the model says, in a story that is new each time', { timeout: TIMEOUT_MS }, async () => {
  const seed = String(randomInt(1_000_000_000))
  expectAgreement(await runModel({ adminUrl, seed, steps: STEPS, sellers: 8 }), STEPS)
})

test('the platform does what the model says while it is killed again and again', { timeout: TIMEOUT_MS }, async () => {
  const steps = 30
  const result = await runModel({ adminUrl, seed: '3', steps, sellers: 2, kills: true })
  expectAgreement(result, steps)
  expect(result.kills).toBeGreaterThan(1)
})
