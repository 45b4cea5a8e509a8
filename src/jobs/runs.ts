import type { FastifyBaseLogger } from 'fastify'
import type { JobsRepository, Lease } from './jobs.repository.ts'

/** One bounded batch of background work, safe to repeat and to run in several processes at once. */
export type Job = { runOnce(): Promise<number> }

type Dependencies = {
  jobs: Readonly<Record<string, Job>>
  jobsRepository: Pick<JobsRepository, 'renew' | 'finish' | 'fail'>
  lease: Lease
  stopping: AbortSignal
  /** Called when a run has ended, whatever became of it. */
  onEnded: () => void
  logger: Pick<FastifyBaseLogger, 'error'>
}

/** `leasedUntilMs` by performance.now(): from then on the job may be somebody else's, and no batch begins. */
type Run = { leasedUntilMs: number; ended: Promise<void> }

/** A run ends after this many batches; what is left is the next one's. */
const BATCHES_MAX = 1_000

/** The jobs that a worker runs at this moment, each at most once. */
export const createRuns = ({ jobs, jobsRepository, lease, stopping, onEnded, logger }: Dependencies) => {
  const running = new Map<string, Run>()

  /** Runs batches until nothing is left to do. Answers false where it had to leave off before. */
  const runBatches = async (job: Job, run: Run): Promise<boolean> => {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if (stopping.aborted || performance.now() > run.leasedUntilMs) return false
      if ((await job.runOnce()) === 0) return true
    }
    return true
  }

  const runJob = async (name: string, job: Job, run: Run): Promise<void> => {
    try {
      if (await runBatches(job, run)) await jobsRepository.finish(name, lease.holder)
    } catch (error) {
      logger.error({ err: error, job: name }, 'a job failed')
      await jobsRepository.fail(name, lease.holder)
    }
  }

  return {
    isRunning: (name: string): boolean => running.has(name),
    count: (): number => running.size,

    /** Begins a job that this worker has just leased. Never throws. */
    begin(name: string, leasedUntilMs: number): void {
      const job = jobs[name]
      if (job === undefined) return
      const run: Run = { leasedUntilMs, ended: Promise.resolve() }
      running.set(name, run)
      run.ended = runJob(name, job, run)
        // Then the lease ends by itself, and the job runs again.
        .catch((error: unknown) => logger.error({ err: error, job: name }, 'the end of a job could not be noted'))
        .finally(() => {
          running.delete(name)
          onEnded()
        })
    },

    /** Keeps the leases of all that runs. What somebody else has by now ends with its batch. */
    async renew(): Promise<void> {
      const runs = [...running]
      if (runs.length === 0) return
      const leasedUntilMs = performance.now() + lease.leaseMs
      const names = runs.map(([name]) => name)
      const kept = new Set(await jobsRepository.renew(names, lease))
      for (const [name, run] of runs) run.leasedUntilMs = kept.has(name) ? leasedUntilMs : 0
    },

    /** Waits for all that runs. */
    async end(): Promise<void> {
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
