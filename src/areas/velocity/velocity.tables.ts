import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, updatedAt } from '../../db/columns.ts'
import { VELOCITY_SUBJECTS } from '../../domain/velocity.ts'

/** What administrators say about declined cards, over the defaults. One row per subject at most. */
export const velocityRules = pgTable('velocity_rules', {
  subject: text('subject', { enum: VELOCITY_SUBJECTS }).primaryKey(),
  /** Names the row in the audit log. */
  id: uuid('id').notNull(),
  failuresMax: integer('failures_max').notNull(),
  withinMinutes: integer('within_minutes').notNull(),
  firstWaitMinutes: integer('first_wait_minutes').notNull(),
  longestWaitMinutes: integer('longest_wait_minutes').notNull(),
  isActive: boolean('is_active').notNull(),
  updatedAt: updatedAt(),
})

/** Declined cards by what they are counted for, and the requests that were counted. Cards, addresses and requests are hashed. */
export const velocityCounters = pgTable(
  'velocity_counters',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    windowStartedAt: instant('window_started_at').notNull(),
    waitsUntil: instant('waits_until'),
  },
  (table) => [index('velocity_counters_window_started_at_ix').on(table.windowStartedAt)],
)
