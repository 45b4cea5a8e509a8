import { sql } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { workerHeartbeats } from './jobs.tables.ts'

/** How old a worker's last sign of life may be: several missed beats. */
const SILENT_MS = 30_000
const REMEMBERED_MS = 3_600_000

const silentFor = (ms: number) => sql`seen_at < now() - ${ms} * interval '1 ms'`

/** The workers as the database's clock sees them. */
export type Workers = {
  isAnyAlive: boolean
  /** Of the worker that lives and whose clock is furthest from the database's: positive where it is ahead. */
  clockSkewMs: number
}

export const createWorkerHeartbeatsQueries = (db: Reader) => ({
  /** Whether any worker lives, and how wrong their clocks are. */
  async findWorkers(): Promise<Workers> {
    const { rows } = await db.execute<{ skews: number[] }>(sql`
      select coalesce(array_agg(clock_skew_ms::float8 order by abs(clock_skew_ms) desc), '{}') as skews
      from worker_heartbeats
      where not ${silentFor(SILENT_MS)}`)
    const skews = rows[0]?.skews ?? []
    return { isAnyAlive: skews.length > 0, clockSkewMs: skews[0] ?? 0 }
  },
})

export const createWorkerHeartbeatsRepository = (db: Writer) => ({
  ...createWorkerHeartbeatsQueries(db),

  /** Notes that a worker lives whose own clock says `at`. Answers by how much that is ahead, in milliseconds. */
  async beat(workerId: string, at: Date): Promise<number> {
    const clockSkewMs = sql`round(extract(epoch from ${at.toISOString()}::timestamptz - clock_timestamp()) * 1000)`
    const seen = { seenAt: sql`now()`, clockSkewMs }
    const [beat] = await db
      .insert(workerHeartbeats)
      .values({ workerId, ...seen })
      .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: seen })
      .returning({ clockSkewMs: workerHeartbeats.clockSkewMs })
    return beat?.clockSkewMs ?? 0
  },

  /** Forgets workers that have been silent for an hour. */
  async deleteForgotten(): Promise<void> {
    await db.delete(workerHeartbeats).where(silentFor(REMEMBERED_MS))
  },
})

export type WorkerHeartbeatsRepository = ReturnType<typeof createWorkerHeartbeatsRepository>
