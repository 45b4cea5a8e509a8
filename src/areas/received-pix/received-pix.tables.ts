import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, updatedAt } from '../../db/columns.ts'
import { RECEIVED_PIX_STATUSES } from './received-pix.statuses.ts'

/**
 * Every Pix that reached the platform's account, once by its end-to-end id, and where it has ended. A directory: whose it is
 * may never be known.
 */
export const receivedPix = pgTable(
  'received_pix',
  {
    provider: text('provider').notNull(),
    endToEndId: text('end_to_end_id').notNull(),
    /** For lists, in order of arrival. */
    id: uuid('id').notNull(),
    txid: text('txid'),
    amount: amount('amount').notNull(),
    status: text('status', { enum: RECEIVED_PIX_STATUSES }).notNull(),
    /** Why it is no payment; null where it is. */
    reason: text('reason'),
    /** The seller and the payment of its charge, where it has one. */
    sellerId: uuid('seller_id'),
    paymentId: uuid('payment_id'),
    /** Of the administrator who decided, and why. */
    resolvedBy: uuid('resolved_by'),
    explanation: text('explanation'),
    /** When the provider was last asked to send it back. */
    lastAttemptAt: instant('last_attempt_at'),
    receivedAt: instant('received_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'received_pix_pk', columns: [table.provider, table.endToEndId] }),
    uniqueIndex('received_pix_id_uq').on(table.id),
    // Nearly all are booked: those are found by going through the list.
    index('received_pix_unbooked_ix').on(table.status, table.id).where(sql`${table.status} <> 'booked'`),
  ],
)
