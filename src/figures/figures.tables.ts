import { date, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { amount, count, sellerId } from '../db/columns.ts'

/**
 * What is added up. `dimensions` are, in order:
 * `payment_created` (day of creation) and `payment_paid` (day of payment): method, status;
 * `posting` (day of posting): account, kind, direction, and the payment's method where it is a fee or a cost;
 * `due` (day on which it becomes available): `pending` or `reserved`, where its money waits; `dispute`: type, status;
 * `withdrawal`, `provider_event`: status; `event` (whose deliveries were made): type; `delivery`: the webhook;
 * `customer` (who is not deleted): none.
 */
export const FIGURE_SUBJECTS = [
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

export type FigureSubject = (typeof FIGURE_SUBJECTS)[number]

/** Stands for all sellers together, and for what belongs to none. */
export const ALL_SELLERS = '00000000-0000-0000-0000-000000000000'

const figureColumns = () => ({
  sellerId: sellerId(),
  subject: text('subject', { enum: FIGURE_SUBJECTS }).notNull(),
  dimensions: text('dimensions').array().notNull(),
  rowsCount: count('rows_count').notNull(),
  amount: amount('amount').notNull(),
  feeAmount: amount('fee_amount').notNull(),
  netAmount: amount('net_amount').notNull(),
})

/**
 * Sums over rows of other tables, by seller and for all sellers, for each São Paulo day and each month.
 * Invariant: together with `figure_changes` and `figure_waiting`, the view of events that have yet to be fanned out, they
 * are in every snapshot what counting the rows would give.
 */
export const figures = pgTable(
  'figures',
  {
    ...figureColumns(),
    span: text('span', { enum: ['day', 'month'] }).notNull(),
    startsOn: date('starts_on', { mode: 'string' }).notNull(),
  },
  (table) => [
    primaryKey({
      name: 'figures_pk',
      columns: [table.sellerId, table.subject, table.span, table.startsOn, table.dimensions],
    }),
  ],
)

/**
 * What has changed since, written by triggers in the transaction of the change: only ever inserted, so that no two
 * writers wait for each other. `foldFigures` adds them to `figures` and takes them away in one transaction.
 */
export const figureChanges = pgTable(
  'figure_changes',
  { ...figureColumns(), day: date('day', { mode: 'string' }).notNull() },
  (table) => [index('figure_changes_seller_ix').on(table.sellerId, table.subject)],
)
