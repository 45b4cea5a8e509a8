import { expect, inject, test } from 'vitest'
import { runModel } from './run.ts'

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

// `npm run test:model` tells one that is new each time, and is forty times as long.
test('the platform does what the model says, in a story that is always the same', { timeout: TIMEOUT_MS }, async () => {
  const result = await runModel({ adminUrl: inject('postgresAdminUrl'), seed: '23', steps: STEPS, sellers: 8 })
  expect(result.failure).toBeUndefined()
  expect(result.steps).toBeGreaterThanOrEqual(STEPS)
  // A story in which nothing happens proves nothing.
  const { counts } = result
  for (const what of HAPPENING) expect(counts[what], what).toBeGreaterThan(0)
})
