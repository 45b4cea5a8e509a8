import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, instant } from '../db/columns.ts'

/** The background jobs, one row for each: when it runs next, and who runs it. In real time, not the platform's. */
export const jobs = pgTable(
  'jobs',
  {
    name: text('name').notNull(),
    /** Set to the next time of the schedule when a run begins. Whoever wants the job sooner sets it to now. */
    nextRunAt: instant('next_run_at').notNull(),
    /** The worker that runs it. Each start of a worker has a name of its own, so that it never meets an older lease. */
    leasedBy: text('leased_by'),
    /** The worker moves this on for as long as it lives. Once it has passed, the job is anybody's. */
    leasedUntil: instant('leased_until'),
    /** Runs in a row that failed. */
    failures: integer('failures').notNull().default(0),
    lastFailedAt: instant('last_failed_at'),
  },
  (table) => [primaryKey({ name: 'jobs_pk', columns: [table.name] })],
)

/** Processes that run jobs, by when they last said so. In real time, by the database's clock. */
export const workerHeartbeats = pgTable(
  'worker_heartbeats',
  {
    workerId: text('worker_id').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** How far its clock was ahead of the database's when it said so, in milliseconds; negative: behind. */
    clockSkewMs: count('clock_skew_ms').notNull().default(0),
  },
  (table) => [primaryKey({ name: 'worker_heartbeats_pk', columns: [table.workerId] })],
)
