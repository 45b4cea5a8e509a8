import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { workerHeartbeats } from './status.tables.ts'

/** How old a worker's last sign of life may be: several missed beats. */
const SILENT_MS = 30_000

/** Whether a worker said by the database's clock, whatever its own may be, that it lives, in the last milliseconds. */
export const isHeardWithin = (ms: number): SQL =>
  sql`seen_at - clock_skew_ms * interval '1 ms' >= now() - ${ms} * interval '1 ms'`

/** The workers as the database's clock sees them. */
export type Workers = {
  isAnyAlive: boolean
  /** Of the worker that lives and whose clock is furthest from the database's: positive where it is ahead. */
  clockSkewMs: number
}

export const createWorkerHeartbeatsRepository = (db: Executor) => ({
  /** Whether any worker lives, and how wrong their clocks are. */
  async findWorkers(): Promise<Workers> {
    const { rows } = await db.execute<{ skews: number[] }>(sql`
      select coalesce(array_agg(clock_skew_ms::float8 order by abs(clock_skew_ms) desc), '{}') as skews
      from worker_heartbeats
      where ${isHeardWithin(SILENT_MS)}`)
    const skews = rows[0]?.skews ?? []
    return { isAnyAlive: skews.length > 0, clockSkewMs: skews[0] ?? 0 }
  },

  /** Notes that a worker lives, which says `seenAt` by its own clock. Answers by how much that is ahead, in milliseconds. */
  async beat(workerId: string, seenAt: Date): Promise<number> {
    const clockSkewMs = sql`round(extract(epoch from ${seenAt.toISOString()}::timestamptz - clock_timestamp()) * 1000)`
    const [beat] = await db
      .insert(workerHeartbeats)
      .values({ workerId, seenAt, clockSkewMs })
      .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { seenAt, clockSkewMs } })
      .returning({ clockSkewMs: workerHeartbeats.clockSkewMs })
    return beat?.clockSkewMs ?? 0
  },

  /** Forgets workers that have been silent for this long. Answers how many. */
  async deleteOlder(silentMs: number): Promise<number> {
    const { rowCount } = await db.delete(workerHeartbeats).where(sql`not ${isHeardWithin(silentMs)}`)
    return rowCount ?? 0
  },
})
