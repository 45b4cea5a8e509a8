import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { NewId } from '../ids.ts'
import { createGate, type Signal } from '../signal.ts'
import { keepHeartbeat } from './heartbeat.ts'
import type { JobsRepository } from './jobs.repository.ts'
import { createRuns, type Job } from './runs.ts'
import { rhythmOf } from './schedule.ts'
import type { WorkerHeartbeatsRepository } from './worker-heartbeats.repository.ts'

/** A worker that was started. `stop` waits for the batches in flight, but no longer than the deadline. */
export type RunningWorker = { stop(): Promise<void> }

/** How often a worker looks for jobs and says that it lives, and after what silence others take its jobs from it. */
export type Pace = { pollMs: number; beatEveryMs: number; leaseMs: number }

/** Three missed beats: jobs of a process that was killed run again within some twenty seconds. */
export const PACE: Pace = { pollMs: 1_000, beatEveryMs: 5_000, leaseMs: 15_000 }

type Dependencies = {
  jobs: Readonly<Record<string, Job>>
  jobsRepository: JobsRepository
  workerHeartbeats: WorkerHeartbeatsRepository
  /** Tells of jobs that this process wants at once; those that others want are found by polling. */
  jobSignal: Pick<Signal, 'subscribe'>
  newId: NewId
  wallClock: Clock
  logger: FastifyBaseLogger
  pace?: Pace
}

const CONCURRENCY = 4
const AFTER_ERROR_MS = 5_000
const STOP_WITHIN_MS = 4_000

const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const deadline = new AbortController()
  const late = wait(ms, false, { signal: deadline.signal }).catch(() => false)
  return await Promise.race([work.then(() => true), late]).finally(() => deadline.abort())
}

/**
 * Runs the jobs in this process: all of them now, and each again on its schedule. Any number of processes share the
 * work, and none runs a job that another holds. A job that fails is tried again, later with each time.
 */
export const startWorker = async (dependencies: Dependencies): Promise<RunningWorker> => {
  const { jobs, jobsRepository, jobSignal, newId, logger, pace = PACE } = dependencies
  const lease = { holder: newId(), leaseMs: pace.leaseMs }
  const stopping = new AbortController()
  const ended = new AbortController()
  const gate = createGate()
  const runs = createRuns({ jobs, jobsRepository, lease, stopping: stopping.signal, onEnded: gate.open, logger })
  const scheduled = Object.keys(jobs).map((name) => ({ name, ...rhythmOf(name) }))
  for (const { name } of scheduled) await jobsRepository.insertDue(name)

  /** Begins what is due and nobody has, as far as there is room. Answers how many jobs that were. */
  const beginDue = async (): Promise<number> => {
    const room = CONCURRENCY - runs.count()
    if (room === 0) return 0
    const waiting = scheduled.filter(({ name }) => !runs.isRunning(name))
    // From before the claim, so that we never believe in a lease that the database has already ended.
    const leasedUntilMs = performance.now() + lease.leaseMs
    const claimed = await jobsRepository.claim(waiting, lease, room)
    for (const { name, takenFrom } of claimed) {
      if (takenFrom !== null) logger.warn({ job: name, worker: takenFrom }, 'a job of a worker that is gone runs again')
      runs.begin(name, leasedUntilMs)
    }
    return claimed.length
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if ((await beginDue()) === 0) await gate.wait(pace.pollMs)
      } catch (error) {
        logger.error({ err: error }, 'the jobs cannot be looked up')
        await wait(AFTER_ERROR_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  const unsubscribe = jobSignal.subscribe(gate.open)
  const looping = loop()
  const heartbeat = { workerId: lease.holder, everyMs: pace.beatEveryMs, renewLeases: runs.renew }
  const beating = keepHeartbeat(heartbeat, dependencies, ended.signal)

  return {
    async stop() {
      stopping.abort()
      unsubscribe()
      gate.open()
      await looping
      if (!(await within(runs.end(), STOP_WITHIN_MS)))
        logger.warn('jobs did not end in time; others will go on with them')
      ended.abort()
      await beating
      await jobsRepository
        .release(lease.holder)
        .catch((error: unknown) =>
          logger.error({ err: error }, 'jobs could not be handed over: others take them when their leases end'),
        )
    },
  }
}
