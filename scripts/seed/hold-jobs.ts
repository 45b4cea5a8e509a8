import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../src/compose.ts'

const HOLDER = 'demo'
const LOOK_AGAIN_MS = 50
const HELD_WITHIN_MS = 20_000

type Jobs = Pick<Services, 'jobs' | 'jobQueries' | 'transact'>

/**
 * Keeps every job to this process. A platform that runs on the same database lives in the present: its jobs would
 * settle and release at once what the demo has only reached in its own time.
 */
export const holdJobs = async ({ jobs, jobQueries, transact }: Jobs) => {
  const names = Object.keys(jobs)
  const givenUpAt = Date.now() + HELD_WITHIN_MS

  /** Shows that the holder lives; else the workers would take the jobs back. */
  const beat = async (): Promise<void> => {
    await transact((tx) => tx.workerHeartbeats.beat(HOLDER, new Date()))
  }

  await beat()
  for (const name of names) await jobQueries.insertNow(name)
  while ((await jobQueries.updateHolder(HOLDER, names)).length < names.length) {
    if (Date.now() > givenUpAt) throw new Error('The jobs of the running platform do not come to rest.')
    await wait(LOOK_AGAIN_MS)
  }
  return { beat, release: () => jobQueries.updateReleased(HOLDER) }
}
