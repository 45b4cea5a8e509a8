import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId } from '../db/columns.ts'

/**
 * The outbox: what happened, written in the transaction that did it. `body` is the text that will be sent,
 * frozen here and never serialised again, so that what is signed is what is sent. In parts by month, as the id has it:
 * see src/db/partitions.ts.
 */
export const events = pgTable(
  'events',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
    /** When its deliveries were made; null: the fan-out has yet to see it. Set by an update, which counts it in the sums. */
    fannedOutAt: instant('fanned_out_at'),
    /** The span that it happened in, as `traceparent` writes it: its deliveries go on with that trace. Null: in none. */
    trace: text('trace'),
  },
  (table) => [
    // With the type and the time beside the key, so that lists find what they are narrowed by in the index.
    primaryKey({ name: 'events_pk', columns: [table.sellerId, table.id] }),
    index('events_waiting_ix').on(table.id).where(sql`${table.fannedOutAt} is null`),
  ],
)
