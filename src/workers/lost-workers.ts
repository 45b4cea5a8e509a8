import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Transact } from '../repositories.ts'
import type { JobQueueQueries } from './job-queue.queries.ts'

type Dependencies = {
  transact: Transact
  queries: Pick<JobQueueQueries, 'updateLostLocks'>
  wallClock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** How often a worker says that it lives, and after what silence the others take its jobs from it. */
export type Pulse = { beatEveryMs: number; silentMs: number }

/** Three missed beats: jobs of a process that was killed run again within some twenty seconds. */
export const PULSE: Pulse = { beatEveryMs: 5_000, silentMs: 15_000 }

const REMEMBERED_MS = 3_600_000

/**
 * Says that this worker lives, and frees the jobs of those that no longer do: the queue itself would wait four hours.
 * A worker that was only slow may then share a job with another, which every job allows. Ends with the signal.
 */
export const keepPulse = async (
  workerId: () => string | undefined,
  { beatEveryMs, silentMs }: Pulse,
  { transact, queries, wallClock, logger }: Dependencies,
  ended: AbortSignal,
): Promise<void> => {
  const beat = async (): Promise<void> => {
    const id = workerId()
    const now = wallClock.now()
    await transact(async (tx) => {
      if (id !== undefined) await tx.workerHeartbeats.beat(id, now)
      await tx.workerHeartbeats.deleteBefore(new Date(now.getTime() - REMEMBERED_MS))
    })
    const lost = await queries.updateLostLocks(new Date(now.getTime() - silentMs))
    if (lost.length > 0) logger.warn({ workers: lost }, 'jobs of workers that are gone were freed')
  }
  while (!ended.aborted) {
    await beat().catch((error: unknown) => logger.error({ err: error }, 'a worker could not say that it lives'))
    await wait(beatEveryMs, undefined, { signal: ended }).catch(() => undefined)
  }
}
