import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { createClockAlarm } from '../telemetry/clock-alarm.ts'
import type { WorkerHeartbeatsRepository } from './worker-heartbeats.repository.ts'

type Dependencies = {
  workerHeartbeats: Pick<WorkerHeartbeatsRepository, 'beat' | 'deleteForgotten'>
  wallClock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'info'>
}

type Heartbeat = {
  workerId: string
  everyMs: number
  /** What else a worker does with each beat. */
  renewLeases: () => Promise<void>
}

/**
 * Says again and again that a worker lives, so that it keeps its jobs. Logs when the clock of this process is wrong by
 * the database's, and when it is right again. Ends with the signal.
 */
export const keepHeartbeat = async (
  { workerId, everyMs, renewLeases }: Heartbeat,
  { workerHeartbeats, wallClock, logger }: Dependencies,
  ended: AbortSignal,
): Promise<void> => {
  const alarm = createClockAlarm(logger)
  const beat = async (): Promise<void> => {
    await renewLeases()
    alarm(await workerHeartbeats.beat(workerId, wallClock.now()))
    await workerHeartbeats.deleteForgotten()
  }
  while (!ended.aborted) {
    await beat().catch((error: unknown) => logger.error({ err: error }, 'a worker could not say that it lives'))
    await wait(everyMs, undefined, { signal: ended }).catch(() => undefined)
  }
}
