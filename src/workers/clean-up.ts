import type { Clock } from '../clock.ts'
import { IDEMPOTENCY_TTL_MS } from '../idempotency/once.ts'
import type { Reads, Transact } from '../repositories.ts'
import type { JobQueueQueries } from './job-queue.queries.ts'
import { keepPartitions } from './keep-partitions.ts'

const FIRST_ANSWERS = {
  name: 'idempotency_keys',
  key: 'created_at',
  every: 'day',
  columns: ['owner_id', 'operation', 'key', 'created_at'],
} as const

type Dependencies = {
  read: Pick<Reads, 'partitions'>
  transact: Transact
  queries: Pick<JobQueueQueries, 'deleteGivenUp'>
  /** Forgets one batch of ended sessions and old failures of logins. */
  forgetSessions: () => Promise<number>
  clock: Clock
}

/** Forgets what has served its time: first answers by day, 24 hours after its end, ended sessions, jobs that were given up. */
export const createCleanUp = ({ read, transact, queries, forgetSessions, clock }: Dependencies) => ({
  /** One batch of each. Answers how many rows and days went. */
  async runOnce(): Promise<number> {
    const now = clock.now()
    const before = new Date(now.getTime() - IDEMPOTENCY_TTL_MS)
    const answers = await keepPartitions({ read, transact }, FIRST_ANSWERS, { now, before })
    return answers + (await forgetSessions()) + (await queries.deleteGivenUp())
  },
})
