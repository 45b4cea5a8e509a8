import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../src/compose.ts'

const LOOK_AGAIN_MS = 50
const HELD_WITHIN_MS = 20_000
/** Longer than any day of the demo takes to live through. */
const LEASE_MS = 60_000

type Jobs = Pick<Services, 'jobs' | 'jobsRepository' | 'newId'>

/**
 * Keeps every job to this process. A platform that runs on the same database lives in the present: its jobs would
 * settle and release at once what the demo has only reached in its own time.
 */
export const holdJobs = async ({ jobs, jobsRepository, newId }: Jobs) => {
  const names = Object.keys(jobs)
  const lease = { holder: `demo ${newId()}`, leaseMs: LEASE_MS }
  const givenUpAt = Date.now() + HELD_WITHIN_MS

  for (const name of names) await jobsRepository.insertDue(name)
  while ((await jobsRepository.hold(names, lease)).length < names.length) {
    if (Date.now() > givenUpAt) throw new Error('The jobs of the running platform do not come to rest.')
    await wait(LOOK_AGAIN_MS)
  }
  return {
    /** Shows that the holder lives; else the workers would take the jobs. */
    beat: () => jobsRepository.renew(names, lease),
    release: () => jobsRepository.release(lease.holder),
  }
}
