import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../../db/columns.ts'

/** Processes that run jobs, by when they last said so. In real time, not the platform's. */
export const workerHeartbeats = pgTable(
  'worker_heartbeats',
  {
    /** As the job queue names whoever holds a job. */
    workerId: text('worker_id').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [primaryKey({ name: 'worker_heartbeats_pk', columns: [table.workerId] })],
)
