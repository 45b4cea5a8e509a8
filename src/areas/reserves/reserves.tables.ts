import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, rateBps, sellerId, updatedAt } from '../../db/columns.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { RESERVE_HOLD_STATUSES } from '../../domain/reserve-hold.ts'
import { payments } from '../payments/payments.tables.ts'
import { users } from '../users/users.tables.ts'

/** Which part of a seller's money is held back, and for how long. One per seller; a change touches new payments only. */
export const reserveConfigs = pgTable(
  'reserve_configs',
  {
    id: uuid('id').primaryKey(),
    sellerId: sellerId().references(() => users.id),
    percentage: rateBps('percentage_bps').notNull(),
    days: integer('days').notNull(),
    isActive: boolean('is_active').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('reserve_configs_seller_id_uq').on(table.sellerId),
    index('reserve_configs_list_ix').on(table.id, table.createdAt),
    check('reserve_configs_percentage_ck', sql`${table.percentage} between 0 and 10000`),
    check('reserve_configs_days_ck', sql`${table.days} between 1 and 180`),
  ],
)

/** Money of one payment's settlement held back until `releaseAt`. */
export const reserveHolds = pgTable(
  'reserve_holds',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    paymentId: uuid('payment_id').notNull(),
    /** That of its payment. */
    method: text('method', { enum: PAYMENT_METHODS }).notNull(),
    amount: amount('amount').notNull(),
    releasedAmount: amount('released_amount').notNull(),
    consumedAmount: amount('consumed_amount').notNull(),
    status: text('status', { enum: RESERVE_HOLD_STATUSES }).notNull(),
    heldAt: instant('held_at').notNull(),
    releaseAt: instant('release_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'reserve_holds_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'reserve_holds_payment_id_fk',
      columns: [table.sellerId, table.paymentId],
      foreignColumns: [payments.sellerId, payments.id],
    }),
    check(
      'reserve_holds_amounts_ck',
      sql`${table.releasedAmount} >= 0 and ${table.consumedAmount} >= 0 and ${table.releasedAmount} + ${table.consumedAmount} <= ${table.amount}`,
    ),
    index('reserve_holds_payment_id_ix').on(table.sellerId, table.paymentId),
    // The lists of administrators, of one seller and of all.
    index('reserve_holds_status_ix').on(table.sellerId, table.status, table.id),
    index('reserve_holds_all_ix').on(table.id, table.status, table.createdAt),
    index('reserve_holds_release_at_ix').on(table.releaseAt).where(sql`${table.status} = 'held'`),
    index('reserve_holds_seller_release_ix').on(table.sellerId, table.releaseAt).where(sql`${table.status} = 'held'`),
  ],
)

/** An administrator's wish that everything a seller has in reserve goes back to them; a job does it, some at a time. */
export const reserveReleases = pgTable(
  'reserve_releases',
  {
    id: uuid('id').primaryKey(),
    sellerId: sellerId().references(() => users.id),
    reserveConfigId: uuid('reserve_config_id')
      .notNull()
      .references(() => reserveConfigs.id),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => users.id),
    /** What was held by then is released. Asked for again while it runs, it covers what came since. */
    heldUntil: instant('held_until').notNull(),
    releasedCount: integer('released_count').notNull(),
    releasedAmount: amount('released_amount').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    uniqueIndex('reserve_releases_running_uq').on(table.sellerId).where(sql`${table.completedAt} is null`),
    index('reserve_releases_list_ix').on(table.reserveConfigId, table.id),
    index('reserve_releases_seller_id_ix').on(table.sellerId),
    index('reserve_releases_requested_by_ix').on(table.requestedBy),
  ],
)
