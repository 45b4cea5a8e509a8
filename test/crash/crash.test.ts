import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openInProcessStage } from './in-process-stage.ts'
import { openProcessStage } from './process-stage.ts'
import type { Stage } from './stage.ts'
import { sweep } from './sweep.ts'

const TIMEOUT_MS = 300_000

/** What money is created, spent and returned by: the whole sweep has every operation and every point. */
const OPERATIONS = ['a Pix is paid', 'a refund is requested', 'a dispute is lost', 'a withdrawal is paid out']

const describeSweep = (
  name: string,
  open: (adminUrl: string) => Promise<Stage>,
  options: Parameters<typeof sweep>[1],
  pointsMin: number,
) =>
  describe(name, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await open(inject('postgresAdminUrl'))
    }, TIMEOUT_MS)
    afterAll(() => stage.close())

    test('wherever it dies, a repeat ends in the one right state', { timeout: TIMEOUT_MS }, async () => {
      const { points, failures } = await sweep(stage, options)
      expect(failures).toEqual([])
      expect(points).toBeGreaterThanOrEqual(pointsMin)
    })
  })

describeSweep('a platform that is cut off', openInProcessStage, { operations: OPERATIONS, every: 5 }, 10)
describeSweep('a server that is killed', openProcessStage, { operations: ['a Pix is paid'], every: 9 }, 2)
