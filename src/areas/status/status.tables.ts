import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, instant } from '../../db/columns.ts'

/** Processes that run jobs, by when they last said so. In real time, not the platform's. */
export const workerHeartbeats = pgTable(
  'worker_heartbeats',
  {
    /** As the job queue names whoever holds a job. */
    workerId: text('worker_id').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** How far its clock was ahead of the database's when it said so, in milliseconds; negative: behind. */
    clockSkewMs: count('clock_skew_ms').notNull().default(0),
  },
  (table) => [primaryKey({ name: 'worker_heartbeats_pk', columns: [table.workerId] })],
)
