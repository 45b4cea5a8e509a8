import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openInProcessStage } from './in-process-stage.ts'
import type { Stage } from './stage.ts'
import { sweep } from './sweep.ts'

const TIMEOUT_MS = 300_000

/** How money comes in and goes out. The whole sweep, `npm run test:crash`, has every operation and every point. */
const OPERATIONS = ['a Pix is paid', 'a withdrawal is paid out']

let stage: Stage
beforeAll(async () => {
  stage = await openInProcessStage(inject('postgresAdminUrl'))
}, TIMEOUT_MS)
afterAll(() => stage.close())

test('a platform that is cut off: wherever it dies, a repeat ends in the one right state', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { points, failures } = await sweep(stage, { operations: OPERATIONS, every: 5 })
  expect(failures).toEqual([])
  expect(points).toBeGreaterThanOrEqual(6)
})
