import { date, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, count, sellerId } from '../db/columns.ts'
import { centavos } from '../domain/money.ts'
import { PAYMENT_METHODS } from '../domain/payment.ts'
import { NIL_UUID } from '../domain/uuid.ts'

/** What is counted. `sql/` says of each which rows of which table it counts, and by what. */
export const TOTAL_SUBJECTS = [
  'payment_created',
  'payment_paid',
  'posting',
  'due',
  'dispute',
  'withdrawal',
  'customer',
  'event',
  'delivery',
  'provider_event',
] as const

export type TotalSubject = (typeof TOTAL_SUBJECTS)[number]

/** Stands for all sellers together, and for what belongs to none. */
export const ALL_SELLERS = NIL_UUID

/** By what rows are told apart. Null where a subject does not know it. */
const dimensions = () => ({
  method: text('method', { enum: PAYMENT_METHODS }),
  status: text('status'),
  account: text('account'),
  kind: text('kind'),
  direction: text('direction', { enum: ['credit', 'debit'] }),
  type: text('type'),
  webhookId: uuid('webhook_id'),
})

const measures = () => ({
  rowsCount: count('rows_count').notNull(),
  amount: amount('amount').notNull(),
  feeAmount: amount('fee_amount').notNull(),
  netAmount: amount('net_amount').notNull(),
})

const subject = () => text('subject', { enum: TOTAL_SUBJECTS }).notNull()

const period = () => ({
  span: text('span', { enum: ['day', 'month'] }).notNull(),
  /** The day, or the first day of the month, in São Paulo. */
  startsOn: date('starts_on', { mode: 'string' }).notNull(),
})

/**
 * How many rows there are of a subject and what they sum to, by seller and for all sellers, for each São Paulo day and month.
 * Invariant: together with `daily_total_changes` they are in every snapshot what counting the rows gives. Events count once
 * their deliveries were made: see sql/events.sql.
 */
export const dailyTotals = pgTable(
  'daily_totals',
  { sellerId: sellerId(), subject: subject(), ...period(), ...dimensions(), ...measures() },
  (table) => [
    unique('daily_totals_uq')
      .on(
        table.sellerId,
        table.subject,
        table.span,
        table.startsOn,
        table.method,
        table.status,
        table.account,
        table.kind,
        table.direction,
        table.type,
        table.webhookId,
      )
      .nullsNotDistinct(),
  ],
)

/**
 * What has changed since: written by the statement that changed the rows, only ever inserted, so that no two writers wait
 * for each other. `rollUp` adds them to `daily_totals` and takes them away in one transaction.
 */
export const dailyTotalChanges = pgTable(
  'daily_total_changes',
  {
    sellerId: sellerId(),
    subject: subject(),
    day: date('day', { mode: 'string' }).notNull(),
    ...dimensions(),
    ...measures(),
  },
  (table) => [index('daily_total_changes_seller_ix').on(table.sellerId, table.subject)],
)

/**
 * What a seller was paid and what the platform earned by it, by payment method: the daily totals of payments and postings,
 * summed into the columns of the reports, so that a report of a thousand sellers reads few rows of each. `sql/revenue.sql`
 * says which total goes where. Written by `rollUp` alone.
 */
export const dailyRevenue = pgTable(
  'daily_revenue',
  {
    sellerId: sellerId(),
    ...period(),
    /** Empty: what belongs to no payment. */
    method: text('method').notNull(),
    paidCount: count('paid_count').notNull(),
    grossVolumeAmount: amount('gross_volume_amount').notNull(),
    paymentFeesAmount: amount('payment_fees_amount').notNull(),
    withdrawalFeesAmount: amount('withdrawal_fees_amount').notNull(),
    disputeFeesAmount: amount('dispute_fees_amount').notNull(),
    refundedFeesAmount: amount('refunded_fees_amount').notNull(),
    providerCostAmount: amount('provider_cost_amount').notNull(),
    refundsAmount: amount('refunds_amount').notNull(),
    lostDisputesAmount: amount('lost_disputes_amount').notNull(),
    withdrawnAmount: amount('withdrawn_amount').notNull(),
    withdrawalsAmount: amount('withdrawals_amount').notNull(),
    /** Postings of fees, costs and losses. */
    feesCount: count('fees_count').notNull(),
    /** Postings of fees and costs, and of all that is neither bringing nor settling a payment. */
    movementsCount: count('movements_count').notNull(),
    /** Zero where a process of the version before writes the row. */
    lossesAmount: amount('losses_amount').notNull().default(centavos(0)),
  },
  (table) => [
    primaryKey({ name: 'daily_revenue_pk', columns: [table.sellerId, table.span, table.startsOn, table.method] }),
    // For reports about every seller.
    index('daily_revenue_span_ix').on(table.span, table.startsOn, table.sellerId),
  ],
)
