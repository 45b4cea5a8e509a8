import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { amount, count, createdAt, instant, updatedAt } from '../../db/columns.ts'

/** The simulated acquirer's own books: what it would answer when asked, whatever we remember. */
export const sandboxRecords = pgTable(
  'sandbox_records',
  {
    kind: text('kind', { enum: ['charge', 'payout', 'refund', 'dispute'] }).notNull(),
    reference: text('reference').notNull(),
    status: text('status').notNull(),
    amount: amount('amount').notNull(),
    endToEndId: text('end_to_end_id'),
    /** What its statement says that it kept; null: it says nothing of it. */
    feeAmount: amount('fee_amount'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ name: 'sandbox_records_pk', columns: [table.kind, table.reference] })],
)

/** The cards that the simulated acquirer keeps, and those that it was told to forget. */
export const sandboxCards = pgTable('sandbox_cards', {
  reference: text('reference').primaryKey(),
  createdAt: createdAt(),
  deletedAt: instant('deleted_at'),
})

/** How far the sandbox has moved the platform's clock. At most one row. */
export const platformClock = pgTable(
  'platform_clock',
  {
    id: integer('id').primaryKey(),
    offsetMs: count('offset_ms').notNull(),
  },
  (table) => [check('platform_clock_id_ck', sql`${table.id} = 1`)],
)
