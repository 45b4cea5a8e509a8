import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Job, type RunningWorker, startWorker } from '../../src/workers/start-worker.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

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
const QUICK = { beatEveryMs: 50, silentMs: 1_000 }

/** A worker whose clock is wrong by a number of milliseconds that may change, and what it logs. */
const start = async (skew: { ms: number }, jobs: Record<string, Job> = {}) => {
  const lines: { level: number; msg: string; clockSkewMs?: number; workers?: string[] }[] = []
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  const wallClock = { now: () => new Date(Date.now() + skew.ms) }
  workers.push(await startWorker({ ...app.services, logger, jobs, wallClock, pulse: QUICK }))
  const worker = async () => (await app.api.get('status')).body.components.worker
  const skewSeconds = async (): Promise<number> => {
    const { text } = await app.api.get('/metrics')
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

test.each([10, -10])(
  'a worker that is %s minutes off and one that is right take no job from each other',
  async (off) => {
    const release = Promise.withResolvers<void>()
    const runs: string[] = []
    const jobOf = (name: string): Job => ({
      runOnce: async () => {
        runs.push(name)
        await release.promise
        return 0
      },
    })
    const right = await start({ ms: 0 }, { heldByOne: jobOf('one') })
    await expect.poll(() => runs, SOON).toStrictEqual(['one'])
    const wrong = await start({ ms: off * MINUTES_MS }, { heldByOther: jobOf('other') })
    await expect.poll(() => runs, SOON).toStrictEqual(['one', 'other'])
    // Long enough for both to find the other's job older than a worker may be silent.
    await wait(QUICK.silentMs * 2)
    const freed = [...right.lines, ...wrong.lines].filter(({ workers: lost }) => lost !== undefined)
    release.resolve()
    expect(freed).toStrictEqual([])
  },
)
