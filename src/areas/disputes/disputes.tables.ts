import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, count, createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import { DOCUMENT_CONTENT_TYPES } from '../../domain/company-document.ts'
import { DISPUTE_RESOLVERS, DISPUTE_STATUSES, DISPUTE_TYPES } from '../../domain/dispute.ts'
import type { Draws } from '../../domain/draws.ts'
import { ZERO } from '../../domain/money.ts'
import { payments } from '../payments/payments.tables.ts'

/** A payer's claim on the money of a payment. At most one of a payment is open at a time. */
export const disputes = pgTable(
  'disputes',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    paymentId: uuid('payment_id').notNull(),
    type: text('type', { enum: DISPUTE_TYPES }).notNull(),
    status: text('status', { enum: DISPUTE_STATUSES }).notNull(),
    /** What the payer claims; at most what was paid. */
    amount: amount('amount').notNull(),
    /** What was moved to `blocked`: `fromPendingAmount` and `fromAvailableAmount`. */
    blockedAmount: amount('blocked_amount').notNull(),
    /** What the payment's own frozen holds stand in for. */
    frozenReserveAmount: amount('frozen_reserve_amount').notNull(),
    fromPendingAmount: amount('from_pending_amount').notNull(),
    fromAvailableAmount: amount('from_available_amount').notNull(),
    /** Which parts and holds of the payment stand in for it, so that a won dispute gives them back. */
    draws: jsonb('draws').$type<Draws>().notNull(),
    reason: text('reason').notNull(),
    defense: text('defense'),
    defendedAt: instant('defended_at'),
    /** When a job last took the defence to tell the provider. */
    defenseAttemptAt: instant('defense_attempt_at'),
    /** When the provider took the defence, or refused it for good. */
    defenseToldAt: instant('defense_told_at'),
    /** Why the provider refused the defence. */
    defenseRefusal: text('defense_refusal'),
    provider: text('provider').notNull(),
    providerReference: text('provider_reference').notNull(),
    respondBy: instant('respond_by').notNull(),
    /** What the platform charges when it is lost: as it was when the dispute was opened. */
    feeAmount: amount('fee_amount').notNull().default(ZERO),
    /** When its seller was reminded that the time to answer runs out. */
    remindedAt: instant('reminded_at'),
    resolvedAt: instant('resolved_at'),
    /** Who ended it: the provider, or the clock because nobody answered. Null while it runs. */
    resolvedBy: text('resolved_by', { enum: DISPUTE_RESOLVERS }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'disputes_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'disputes_payment_id_fk',
      columns: [table.sellerId, table.paymentId],
      foreignColumns: [payments.sellerId, payments.id],
    }),
    check(
      'disputes_blocked_ck',
      sql`${table.fromPendingAmount} + ${table.fromAvailableAmount} = ${table.blockedAmount}`,
    ),
    index('disputes_payment_id_ix').on(table.sellerId, table.paymentId),
    uniqueIndex('disputes_payment_id_open_uq')
      .on(table.sellerId, table.paymentId)
      .where(sql`${table.status} in ('open', 'under_review')`),
    index('disputes_status_ix').on(table.sellerId, table.status, table.id),
    // For administrators, who list and find disputes of all sellers.
    index('disputes_all_ix').on(table.id, table.status, table.type),
    index('disputes_respond_by_ix').on(table.respondBy).where(sql`${table.status} = 'open'`),
    index('disputes_untold_defense_ix')
      .on(table.defendedAt)
      .where(sql`${table.defendedAt} is not null and ${table.defenseToldAt} is null`),
  ],
)

/** Files that a seller sent with a defence. */
export const disputeFiles = pgTable(
  'dispute_files',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    disputeId: uuid('dispute_id').notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type', { enum: DOCUMENT_CONTENT_TYPES }).notNull(),
    sizeBytes: count('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'dispute_files_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'dispute_files_dispute_id_fk',
      columns: [table.sellerId, table.disputeId],
      foreignColumns: [disputes.sellerId, disputes.id],
    }),
    index('dispute_files_dispute_id_ix').on(table.sellerId, table.disputeId),
  ],
)

/** What the platform charges for a lost dispute, by its type. No row: nothing. A change touches new disputes only. */
export const disputeFees = pgTable(
  'dispute_fees',
  {
    type: text('type', { enum: DISPUTE_TYPES }).primaryKey(),
    /** Names the row in the audit log. */
    id: uuid('id').notNull(),
    feeAmount: amount('fee_amount').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [check('dispute_fees_fee_amount_ck', sql`${table.feeAmount} >= 0`)],
)
