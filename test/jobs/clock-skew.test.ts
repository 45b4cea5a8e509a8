import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunningWorker, startWorker } from '../../src/jobs/loop.ts'
import type { Job } from '../../src/jobs/runs.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { readMetrics } from '../support/metrics.ts'

let app: TestApp
const workers: RunningWorker[] = []

beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql.query('delete from worker_heartbeats')
})

const MINUTES_MS = 60_000
/** Workers of tests begin when the machine has time for them. */
const SOON = { timeout: 15_000 }
const QUICK = { pollMs: 50, beatEveryMs: 50, leaseMs: 1_000 }

/** A worker whose clock is wrong by a number of milliseconds that may change, and what it logs. */
const start = async (skew: { ms: number }, jobs: Record<string, Job> = {}) => {
  const lines: { level: number; msg: string; clockSkewMs?: number; worker?: string }[] = []
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  const wallClock = { now: () => new Date(Date.now() + skew.ms) }
  workers.push(await startWorker({ ...app.services, logger, jobs, wallClock, pace: QUICK }))
  const worker = async () => (await app.api.get('status')).body.components.worker
  const skewSeconds = async (): Promise<number> => {
    const text = await readMetrics(app)
    return Number(/^worker_clock_skew_seconds (\S+)$/m.exec(text)?.[1])
  }
  return { lines, worker, skewSeconds, alarms: () => lines.filter(({ msg }) => msg.includes('clock')) }
}

test('a clock that is right is no news', async () => {
  const { worker, skewSeconds, alarms } = await start({ ms: 0 })
  await expect.poll(worker, SOON).toBe('ok')
  expect(Math.abs(await skewSeconds())).toBeLessThan(5)
  expect(alarms()).toStrictEqual([])
})

test.each([10, -10])('a clock that is %s minutes off is told once, and when it is right again', async (minutes) => {
  const skew = { ms: minutes * MINUTES_MS }
  const { worker, skewSeconds, alarms } = await start(skew)
  await expect.poll(worker, SOON).toBe('degraded')
  expect(Math.abs((await skewSeconds()) - minutes * 60)).toBeLessThan(5)
  await wait(QUICK.beatEveryMs * 5)
  expect(alarms()).toMatchObject([{ level: 50, msg: expect.stringContaining('is wrong') }])
  expect(Math.abs((alarms()[0]?.clockSkewMs ?? 0) - skew.ms)).toBeLessThan(5_000)
  skew.ms = 0
  await expect.poll(worker, SOON).toBe('ok')
  await expect.poll(() => alarms().length, SOON).toBe(2)
  expect(alarms()[1]).toMatchObject({ level: 30, msg: expect.stringContaining('right again') })
})

test.each([
  [0, 10],
  [0, -10],
  [10, 0],
  [-10, 0],
])('of two workers that are %s and %s minutes off, the second takes no job from the first', async (first, second) => {
  const release = Promise.withResolvers<void>()
  const runs: string[] = []
  const jobsOf = (worker: string): Record<string, Job> => ({
    held: {
      runOnce: async () => {
        runs.push(worker)
        await release.promise
        return 0
      },
    },
  })
  const { lines } = await start({ ms: first * MINUTES_MS }, jobsOf('first'))
  await expect.poll(() => runs, SOON).toStrictEqual(['first'])
  const other = await start({ ms: second * MINUTES_MS }, jobsOf('second'))
  // Long enough for each to find the lease of a worker that is silent over.
  await wait(QUICK.leaseMs * 2)
  const taken = [...lines, ...other.lines].filter(({ worker }) => worker !== undefined)
  const seen = [...runs]
  release.resolve()
  expect([seen, taken]).toStrictEqual([['first'], []])
})
