import { expect, inject, test } from 'vitest'
import { runModel } from './run.ts'

test('the platform does what the model says while it is killed again and again', { timeout: 180_000 }, async () => {
  const steps = 30
  const adminUrl = inject('postgresAdminUrl')
  const result = await runModel({ adminUrl, seed: '3', steps, sellers: 2, kills: true })
  expect(result.failure).toBeUndefined()
  expect(result.steps).toBeGreaterThanOrEqual(steps)
  expect(result.kills).toBeGreaterThan(1)
})
