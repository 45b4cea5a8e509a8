import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import type { Draws } from '../../domain/draws.ts'
import { REFUND_ORIGINS, REFUND_STATUSES } from '../../domain/refund.ts'
import { payments } from '../payments/payments.tables.ts'

/** Money on its way back to a payer. */
export const refunds = pgTable(
  'refunds',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    paymentId: uuid('payment_id').notNull(),
    amount: amount('amount').notNull(),
    reason: text('reason'),
    status: text('status', { enum: REFUND_STATUSES }).notNull(),
    /** Why it failed, as the provider says. */
    statusReason: text('status_reason'),
    fromPendingAmount: amount('from_pending_amount').notNull(),
    fromReservedAmount: amount('from_reserved_amount').notNull(),
    fromAvailableAmount: amount('from_available_amount').notNull(),
    /** Which parts and holds of the payment it was taken from, so that a failure returns it there. */
    draws: jsonb('draws').$type<Draws>().notNull(),
    provider: text('provider').notNull(),
    /** Who began it: the seller here, or somebody at the provider, of whom we only hear that the money went back. */
    origin: text('origin', { enum: REFUND_ORIGINS }).notNull().default('seller'),
    /** The user who asked for it; null where it was begun at the provider. */
    requestedBy: uuid('requested_by'),
    /** When a job took it to send it. */
    sentAt: instant('sent_at'),
    /** When the provider was last asked about it. */
    lastAttemptAt: instant('last_attempt_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'refunds_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'refunds_payment_id_fk',
      columns: [table.sellerId, table.paymentId],
      foreignColumns: [payments.sellerId, payments.id],
    }),
    check(
      'refunds_amounts_ck',
      sql`${table.fromPendingAmount} + ${table.fromReservedAmount} + ${table.fromAvailableAmount} = ${table.amount}`,
    ),
    check('refunds_requested_by_ck', sql`(${table.origin} = 'seller') = (${table.requestedBy} is not null)`),
    index('refunds_payment_id_ix').on(table.sellerId, table.paymentId, table.id),
    // The lists of a seller, over all of their payments.
    index('refunds_status_ix').on(table.sellerId, table.status, table.id),
    index('refunds_processing_ix').on(table.createdAt).where(sql`${table.status} = 'processing'`),
  ],
)
