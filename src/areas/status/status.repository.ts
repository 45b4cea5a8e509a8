import { lt, max } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { workerHeartbeats } from './status.tables.ts'

export const createWorkerHeartbeatsRepository = (db: Executor) => ({
  /** When any worker last said that it lives. */
  async findLatest(): Promise<Date | null> {
    const [latest] = await db.select({ seenAt: max(workerHeartbeats.seenAt) }).from(workerHeartbeats)
    return latest?.seenAt ?? null
  },

  /** Notes that a worker lives. */
  async beat(workerId: string, seenAt: Date): Promise<void> {
    await db
      .insert(workerHeartbeats)
      .values({ workerId, seenAt })
      .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { seenAt } })
  },

  /** Forgets workers that ended long ago. Answers how many. */
  async deleteBefore(instant: Date): Promise<number> {
    const { rowCount } = await db.delete(workerHeartbeats).where(lt(workerHeartbeats.seenAt, instant))
    return rowCount ?? 0
  },
})
