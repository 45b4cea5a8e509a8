import { date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { amount, count, sellerId } from '../db/columns.ts'

/**
 * What reports about every seller need of `figures`, in one row of a seller and São Paulo day or month instead of dozens.
 * Invariant: triggers on `figures` write it in the same transaction; `seller_sum_differences` shows what they missed.
 */
export const sellerSums = pgTable(
  'seller_sums',
  {
    span: text('span', { enum: ['day', 'month'] }).notNull(),
    startsOn: date('starts_on', { mode: 'string' }).notNull(),
    sellerId: sellerId(),
    paidCount: count('paid_count').notNull(),
    grossVolumeAmount: amount('gross_volume_amount').notNull(),
    /** Postings of fees and costs, and of those and all that is neither brought nor settled by payments. */
    feesCount: count('fees_count').notNull(),
    legsCount: count('legs_count').notNull(),
    paymentFeesAmount: amount('payment_fees_amount').notNull(),
    withdrawalFeesAmount: amount('withdrawal_fees_amount').notNull(),
    disputeFeesAmount: amount('dispute_fees_amount').notNull(),
    refundedFeesAmount: amount('refunded_fees_amount').notNull(),
    providerCostAmount: amount('provider_cost_amount').notNull(),
    refundsAmount: amount('refunds_amount').notNull(),
    lostDisputesAmount: amount('lost_disputes_amount').notNull(),
    withdrawnAmount: amount('withdrawn_amount').notNull(),
    withdrawalsAmount: amount('withdrawals_amount').notNull(),
  },
  (table) => [primaryKey({ name: 'seller_sums_pk', columns: [table.span, table.startsOn, table.sellerId] })],
)
