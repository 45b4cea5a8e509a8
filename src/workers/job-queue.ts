import type { FastifyBaseLogger } from 'fastify'
import type { GaugeSource } from '../http/metrics.ts'
import type { JobBacklog, JobQueueQueries } from './job-queue.queries.ts'

type Dependencies = { queries: JobQueueQueries; logger: Pick<FastifyBaseLogger, 'warn'> }

const gauge = (
  name: string,
  help: string,
  list: () => Promise<JobBacklog[]>,
  figure: (backlog: JobBacklog) => number,
): GaugeSource => ({
  name,
  help,
  label: 'job',
  read: async () => Object.fromEntries((await list()).map((backlog) => [backlog.job, figure(backlog)])),
})

/** The background jobs as the other processes see them. */
export const createJobQueue = ({ queries, logger }: Dependencies) => ({
  /**
   * Lets a job run now, in whatever process has a worker, instead of with the next round. For after a commit: what it
   * would have to do is in the database already, so a failure only costs time. Never throws.
   */
  async hurry(job: string): Promise<void> {
    await queries.insertNow(job).catch((error: unknown) => logger.warn({ err: error, job }, 'a job was not hurried'))
  },

  /** For how long the job has waited that has waited longest, in milliseconds. */
  async findOldestWaitMs(): Promise<number> {
    const backlog = await queries.listBacklog()
    return Math.max(0, ...backlog.map(({ oldestWaitSeconds }) => oldestWaitSeconds * 1_000))
  },

  gauges: [
    gauge('jobs_waiting', 'Background jobs that are due and wait.', queries.listBacklog, ({ waiting }) => waiting),
    gauge(
      'jobs_oldest_wait_seconds',
      'For how long the oldest background job that is due has waited.',
      queries.listBacklog,
      ({ oldestWaitSeconds }) => oldestWaitSeconds,
    ),
    gauge('jobs_failing', 'Background jobs whose last run failed.', queries.listBacklog, ({ failing }) => failing),
  ],
})

export type JobQueue = ReturnType<typeof createJobQueue>
