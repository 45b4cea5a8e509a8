import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOB_NAMES, rhythmOf } from '../../src/jobs/schedule.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('every job of the platform is on the schedule, and nothing else is', () => {
  expect(Object.keys(app.services.jobs).sort()).toStrictEqual([...JOB_NAMES].sort())
})

test('what watches, compares or cleans up runs less often than each minute, as everything that moves money does', () => {
  const rare = JOB_NAMES.filter((job) => rhythmOf(job).everyMinutes > 1)
  expect(Object.fromEntries(rare.map((job) => [job, 60 / rhythmOf(job).everyMinutes]))).toStrictEqual({
    readInfractions: 6,
    registerPixWebhook: 6,
    watchPixCertificate: 1,
    ageDebts: 1,
    reconcileProviders: 1,
    reseal: 12,
    chainLedger: 12,
    purgeEvents: 1,
    cleanUp: 1,
  })
  expect(rhythmOf('payWithdrawals')).toStrictEqual({ everyMinutes: 1, fromMinute: 0 })
})

/** The row of a job that was claimed just now by a schedule. */
const nextOf = async (everyMinutes: number, fromMinute: number): Promise<{ next: Date; now: Date }> => {
  const name = `every ${everyMinutes} from ${fromMinute}`
  const { jobsRepository } = app.services
  await jobsRepository.insertDue(name)
  const lease = { holder: 'somebody', leaseMs: 1_000 }
  const claimed = await jobsRepository.claim([{ name, everyMinutes, fromMinute }], lease, 1)
  expect(claimed).toStrictEqual([{ name, takenFrom: null }])
  const { rows } = await app.sql.query<{ next: Date; now: Date }>(
    'select next_run_at as next, now() from jobs where name = $1',
    [name],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the job has no row')
  return row
}

test.each([
  [1, 0],
  [5, 0],
  [60, 17],
  [60, 47],
])('a run sets the next one to the next of every %i minutes from minute %i', async (everyMinutes, fromMinute) => {
  const { next, now } = await nextOf(everyMinutes, fromMinute)
  const aheadMs = next.getTime() - now.getTime()
  // The statement that asked came a moment later.
  expect(aheadMs).toBeGreaterThan(-5_000)
  expect(aheadMs).toBeLessThanOrEqual(everyMinutes * 60_000)
  expect([(next.getUTCMinutes() - fromMinute) % everyMinutes, next.getUTCSeconds()]).toStrictEqual([0, 0])
})
