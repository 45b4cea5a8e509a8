import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Requests counted per caller and window, shared by all processes. Unlogged: losing it forgives a window. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    bucket: text('bucket').notNull(),
    windowStartedAt: instant('window_started_at').notNull(),
    requests: integer('requests').notNull(),
  },
  (table) => [
    primaryKey({ name: 'rate_limits_pk', columns: [table.bucket, table.windowStartedAt] }),
    index('rate_limits_window_started_at_ix').on(table.windowStartedAt),
  ],
)
