import type { FastifyBaseLogger } from 'fastify'
import type { Signal } from '../signal.ts'
import type { JobsRepository } from './jobs.repository.ts'
import type { JobName } from './schedule.ts'

type Dependencies = {
  jobsRepository: Pick<JobsRepository, 'insertDue'>
  jobSignal: Pick<Signal, 'notify'>
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Has a job run at once, in whatever process has a worker, instead of at its time. For after a commit: what it would have
 * to do is in the database already, so a failure only costs time. Never throws.
 */
export const createRunSoon =
  ({ jobsRepository, jobSignal, logger }: Dependencies) =>
  async (job: JobName): Promise<void> => {
    try {
      await jobsRepository.insertDue(job)
      jobSignal.notify()
    } catch (error) {
      logger.warn({ err: error, job }, 'a job could not be asked to run at once')
    }
  }
