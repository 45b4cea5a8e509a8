import type { Clock } from '../clock.ts'
import { IDEMPOTENCY_TTL_MS } from '../idempotency/once.ts'
import type { Transact } from '../repositories.ts'
import type { JobQueueQueries } from './job-queue.queries.ts'

const BATCH_MAX = 1_000

type Dependencies = {
  transact: Transact
  queries: Pick<JobQueueQueries, 'deleteGivenUp'>
  /** Forgets one batch of ended sessions and old failures of logins. */
  forgetSessions: () => Promise<number>
  clock: Clock
}

/** Forgets what has served its time: first answers after 24 hours, ended sessions, jobs that were given up. */
export const createCleanUp = ({ transact, queries, forgetSessions, clock }: Dependencies) => ({
  /** One batch of each. Answers how many rows went. */
  async runOnce(): Promise<number> {
    const before = new Date(clock.now().getTime() - IDEMPOTENCY_TTL_MS)
    const answers = await transact((tx) => tx.idempotency.deleteBefore(before, BATCH_MAX))
    return answers + (await forgetSessions()) + (await queries.deleteGivenUp())
  },
})
