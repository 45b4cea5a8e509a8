import { lt, sql } from 'drizzle-orm'
import type { Writer } from '../db/client.ts'
import { rateLimits } from './rate-limits.tables.ts'

export type RequestCount = { bucket: string; windowStartedAtMs: number; requests: number }

type CountRow = { bucket: string; windowStartedAtMs: string; requests: number }

const byBucket = (left: RequestCount, right: RequestCount) => (left.bucket < right.bucket ? -1 : 1)

export const createRateLimitsRepository = (db: Writer) => ({
  /** Adds to the counters in one statement and answers what they are then, with the requests of all processes. */
  async add(counts: readonly RequestCount[]): Promise<RequestCount[]> {
    // In one order everywhere, so that processes that count the same callers never wait for each other in a circle.
    const sorted = [...counts].sort(byBucket)
    const starts = sorted.map(({ windowStartedAtMs }) => new Date(windowStartedAtMs).toISOString())
    const { rows } = await db.execute<CountRow>(sql`
      insert into ${rateLimits} as counted (bucket, window_started_at, requests)
      select * from unnest(
        ${sql.param(sorted.map(({ bucket }) => bucket))}::text[],
        ${sql.param(starts)}::timestamptz[],
        ${sql.param(sorted.map(({ requests }) => requests))}::integer[])
      on conflict (bucket, window_started_at) do update set requests = counted.requests + excluded.requests
      returning bucket, requests, (extract(epoch from window_started_at) * 1000)::bigint as "windowStartedAtMs"`)
    return rows.map((row) => ({ ...row, windowStartedAtMs: Number(row.windowStartedAtMs) }))
  },

  /** Forgets windows that began before this instant. Answers how many counters that were. */
  async deleteBefore(instant: Date): Promise<number> {
    const { rowCount } = await db.delete(rateLimits).where(lt(rateLimits.windowStartedAt, instant))
    return rowCount ?? 0
  },
})

export type RateLimitsRepository = ReturnType<typeof createRateLimitsRepository>
