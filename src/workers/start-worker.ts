import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Runner, run, type Task, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import type { Transact } from '../repositories.ts'
import { createJobLogger } from './job-logger.ts'
import type { JobQueueQueries } from './job-queue.queries.ts'
import { keepPulse, PULSE, type Pulse } from './lost-workers.ts'
import { crontabOf } from './schedule.ts'

/** One bounded batch of background work, safe to repeat and to run in several processes at once. */
export type Job = { runOnce(): Promise<number> }

/** A worker that was started. `stop` waits for the batches in flight, but no longer than the deadline. */
export type RunningWorker = { stop(): Promise<void> }

type Dependencies = {
  jobs: Readonly<Record<string, Job>>
  jobQueries: JobQueueQueries
  /** The connections that the queue shares with the rest of the process; it keeps one to hear of new jobs. */
  pool: Pool
  transact: Transact
  wallClock: Clock
  logger: FastifyBaseLogger
  pulse?: Pulse
}

const CONCURRENCY = 4
const POLL_MS = 2_000
/** A round ends after this many batches; what is left is the next round's. */
const BATCHES_MAX = 1_000
const RESTART_AFTER_MS = 5_000
const STOP_WITHIN_MS = 4_000

const taskOf =
  (name: string, job: Job, logger: FastifyBaseLogger, stopping: AbortSignal): Task =>
  async () => {
    try {
      for (let batch = 0; batch < BATCHES_MAX && !stopping.aborted; batch += 1) {
        if ((await job.runOnce()) === 0) return
      }
    } catch (error) {
      logger.error({ err: error, job: name }, 'a job failed')
      // The queue keeps the text of a failure in its table, so it must not quote anything private.
      throw new Error(`${name} failed: the log says why`)
    }
  }

const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const deadline = new AbortController()
  const late = wait(ms, false, { signal: deadline.signal }).catch(() => false)
  return await Promise.race([work.then(() => true), late]).finally(() => deadline.abort())
}

/**
 * Runs the jobs in this process: all of them now, and each again on its schedule. Any number of processes share the
 * work. A job that fails is tried again, and a queue that breaks down, with its database, is started again.
 */
export const startWorker = async (dependencies: Dependencies): Promise<RunningWorker> => {
  const { jobs, jobQueries, pool, logger, pulse = PULSE } = dependencies
  const stopping = new AbortController()
  const ended = new AbortController()
  const names = Object.keys(jobs)
  let queue: WorkerPool | undefined

  const start = (): Promise<Runner> => {
    const events = new EventEmitter() as WorkerEvents
    events.on('pool:create', ({ workerPool }) => {
      queue = workerPool
    })
    const taskList = Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [name, taskOf(name, job, logger, stopping.signal)]),
    )
    return run({
      pgPool: pool,
      // Behind a pooler of connections each statement may meet another one.
      noPreparedStatements: true,
      taskList,
      crontab: crontabOf(names),
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      events,
      logger: createJobLogger(logger),
    })
  }

  let runner = await start()
  for (const name of names) await jobQueries.insertNow(name)

  const restart = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    runner = await start().catch(() => runner)
    // It may have been told to stop while it was starting, when there was nothing to stop yet.
    if (stopping.signal.aborted) await runner.stop().catch(() => undefined)
  }

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const reason: unknown = await runner.promise.catch((error: unknown) => error)
      if (stopping.signal.aborted) return
      logger.error({ err: reason }, 'the job queue broke down and is started again')
      await wait(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      await restart()
    }
  }
  const watching = watch()
  const beating = keepPulse(() => queue?.id, pulse, { ...dependencies, queries: jobQueries }, ended.signal)

  return {
    async stop() {
      stopping.abort()
      const graceful = runner.stop().catch((error: unknown) => logger.warn({ err: error }, 'the job queue had ended'))
      if (!(await within(graceful, STOP_WITHIN_MS))) {
        logger.warn('jobs did not end in time; others will go on with them')
        await Promise.resolve(queue?.forcefulShutdown('the process ends')).catch((error: unknown) =>
          logger.error({ err: error }, 'jobs could not be handed over: others take them once this worker is silent'),
        )
      }
      ended.abort()
      await Promise.all([watching, beating])
    },
  }
}
