import type { Clock } from '../clock.ts'
import { keepPartitions } from '../db/keep-partitions.ts'
import { IDEMPOTENCY_TTL_MS } from '../idempotency/answers.ts'
import type { Reads, Transact } from '../repositories.ts'
import type { JobsRepository } from './jobs.repository.ts'
import { JOB_NAMES } from './schedule.ts'

const FIRST_ANSWERS = {
  name: 'idempotency_keys',
  key: 'created_at',
  every: 'day',
  columns: ['owner_id', 'operation', 'key', 'created_at'],
} as const

type Dependencies = {
  read: Pick<Reads, 'partitions'>
  transact: Transact
  jobsRepository: Pick<JobsRepository, 'deleteUnknown'>
  /** Forgets one batch of ended sessions and old failures of logins. */
  forgetSessions: () => Promise<number>
  /** Forgets one batch of links that mails brought and that have ended. */
  forgetLinks: () => Promise<number>
  /** Removes one batch of files of deleted companies. */
  forgetFiles: () => Promise<number>
  /** Removes one batch of files of logos that nobody has any more. */
  forgetLogos: () => Promise<number>
  /** Forgets one batch of counters of declined cards. */
  forgetVelocity: () => Promise<number>
  /** Forgets one batch of what became of mails. */
  forgetMails: () => Promise<number>
  clock: Clock
}

/**
 * Forgets what has served its time: first answers by day, 24 hours after its end, ended sessions and links, files of deleted
 * companies and of removed logos, counters of declined cards, mails after 30 days, jobs of older versions.
 */
export const createCleanUp = ({ read, transact, jobsRepository, clock, ...forget }: Dependencies) => ({
  /** One batch of each. Answers how many rows and days went. */
  async runOnce(): Promise<number> {
    const now = clock.now()
    const before = new Date(now.getTime() - IDEMPOTENCY_TTL_MS)
    const answers = await keepPartitions({ read, transact }, FIRST_ANSWERS, { now, before })
    const { forgetSessions, forgetLinks, forgetFiles, forgetLogos, forgetMails, forgetVelocity } = forget
    const files = (await forgetFiles()) + (await forgetLogos())
    const forgotten = (await forgetSessions()) + (await forgetLinks()) + files + (await forgetMails())
    const counted = await forgetVelocity()
    return answers + forgotten + counted + (await jobsRepository.deleteUnknown(JOB_NAMES))
  },
})
