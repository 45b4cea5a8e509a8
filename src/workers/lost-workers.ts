import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { isClockWrong } from '../domain/clock-skew.ts'
import type { GaugeSource } from '../http/metrics.ts'
import type { Reads, Transact } from '../repositories.ts'
import type { JobQueueQueries } from './job-queue.queries.ts'

type Dependencies = {
  transact: Transact
  queries: Pick<JobQueueQueries, 'updateLostLocks'>
  wallClock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>
}

/** How often a worker says that it lives, and after what silence the others take its jobs from it. */
export type Pulse = { beatEveryMs: number; silentMs: number }

/** Three missed beats: jobs of a process that was killed run again within some twenty seconds. */
export const PULSE: Pulse = { beatEveryMs: 5_000, silentMs: 15_000 }

const REMEMBERED_MS = 3_600_000

/** How wrong the clocks of workers are, for Prometheus. */
export const clockGauge = (findWorkers: Reads['workerHeartbeats']['findWorkers']): GaugeSource => ({
  name: 'worker_clock_skew_seconds',
  help: 'How far the clock of the worker that is furthest off is ahead of the database, or behind where negative.',
  read: async () => (await findWorkers()).clockSkewMs / 1_000,
})

const createClockAlarm = (logger: Dependencies['logger']) => {
  let isWrong = false
  return (clockSkewMs: number): void => {
    if (isClockWrong(clockSkewMs) === isWrong) return
    isWrong = !isWrong
    if (isWrong)
      logger.error({ clockSkewMs }, 'the clock of this process is wrong: receivers refuse webhooks that it signs')
    else logger.info({ clockSkewMs }, 'the clock of this process is right again')
  }
}

/**
 * Says that this worker lives, and frees the jobs of those that no longer do: the queue itself would wait four hours.
 * A worker that was only slow may then share a job with another, which every job allows. Logs when the clock of this
 * process is wrong by the database's, and when it is right again. Ends with the signal.
 */
export const keepPulse = async (
  workerId: () => string | undefined,
  { beatEveryMs, silentMs }: Pulse,
  { transact, queries, wallClock, logger }: Dependencies,
  ended: AbortSignal,
): Promise<void> => {
  const alarm = createClockAlarm(logger)
  const beat = async (): Promise<void> => {
    const id = workerId()
    const clockSkewMs = await transact(async (tx) => {
      await tx.workerHeartbeats.deleteOlder(REMEMBERED_MS)
      return id === undefined ? 0 : tx.workerHeartbeats.beat(id, wallClock.now())
    })
    alarm(clockSkewMs)
    const lost = await queries.updateLostLocks(silentMs)
    if (lost.length > 0) logger.warn({ workers: lost }, 'jobs of workers that are gone were freed')
  }
  while (!ended.aborted) {
    await beat().catch((error: unknown) => logger.error({ err: error }, 'a worker could not say that it lives'))
    await wait(beatEveryMs, undefined, { signal: ended }).catch(() => undefined)
  }
}
