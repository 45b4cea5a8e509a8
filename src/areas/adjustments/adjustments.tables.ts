import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, sellerId } from '../../db/columns.ts'
import { ADJUSTMENT_ACCOUNTS, ADJUSTMENT_KINDS } from '../../domain/platform-transfers.ts'

/** A correction of a seller's balance by people. Append only: a wrong one is corrected by another. */
export const adjustments = pgTable(
  'adjustments',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: ADJUSTMENT_KINDS }).notNull(),
    /** What it did to `available`. */
    amount: amount('amount').notNull(),
    against: text('against', { enum: ADJUSTMENT_ACCOUNTS }).notNull(),
    reason: text('reason').notNull(),
    forced: boolean('forced').notNull(),
    proposedBy: uuid('proposed_by').notNull(),
    /** The second administrator; null where the policy asked for none. */
    approvedBy: uuid('approved_by'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'adjustments_pk', columns: [table.sellerId, table.id] }),
    check('adjustments_amount_ck', sql`${table.amount} <> 0`),
    index('adjustments_all_ix').on(table.id, table.createdAt),
  ],
)

/** Sellers whose available balance is below zero, since when, and when they were last told. */
export const sellerDebts = pgTable('seller_debts', {
  sellerId: sellerId().primaryKey(),
  owedSince: instant('owed_since').notNull(),
  toldAt: instant('told_at'),
})
