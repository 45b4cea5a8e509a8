import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId } from '../../db/columns.ts'

/**
 * People whom a seller has had erased: that it was done, and how far the copies of what was told of them are done with.
 * Nothing of a person is kept here once their payments were found.
 */
export const erasures = pgTable(
  'erasures',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    requestedBy: uuid('requested_by').notNull(),
    /** By what payments are still looked for; null: all were found. */
    email: text('email'),
    /** The last payment that was looked at while there is an e-mail address, the last event afterwards. */
    cursorId: uuid('cursor_id').notNull(),
    /** When the events began to be looked through: what was erased before is done with them too. */
    scanningSince: instant('scanning_since'),
    customersCount: integer('customers_count').notNull(),
    paymentsCount: integer('payments_count').notNull(),
    createdAt: createdAt(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    primaryKey({ name: 'erasures_pk', columns: [table.sellerId, table.id] }),
    index('erasures_open_ix').on(table.createdAt, table.id).where(sql`${table.completedAt} is null`),
  ],
)
