import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, rateBps, updatedAt } from '../../db/columns.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { users } from '../users/users.tables.ts'

/**
 * What the platform charges per payment. A version that payments were made with is closed, never edited.
 * The exclusion constraint `fees_band_ex` (hand-written in the migration) lets no two active bands of one scope overlap.
 */
export const fees = pgTable(
  'fees',
  {
    id: uuid('id').primaryKey(),
    /** Null: for everyone. */
    sellerId: uuid('seller_id').references(() => users.id),
    method: text('method', { enum: PAYMENT_METHODS }).notNull(),
    installmentsFrom: integer('installments_from').notNull(),
    installmentsTo: integer('installments_to').notNull(),
    percentage: rateBps('percentage_bps').notNull(),
    fixedAmount: amount('fixed_amount').notNull(),
    minAmount: amount('min_amount'),
    maxAmount: amount('max_amount'),
    settlementDays: integer('settlement_days').notNull(),
    isActive: boolean('is_active').notNull(),
    /** Set by the first payment made with it. */
    usedAt: instant('used_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check('fees_band_ck', sql`${table.installmentsFrom} between 1 and ${table.installmentsTo}`),
    check('fees_percentage_ck', sql`${table.percentage} between 0 and 10000`),
    index('fees_seller_id_ix').on(table.sellerId, table.id, table.createdAt),
    index('fees_list_ix').on(table.id, table.method, table.isActive, table.createdAt),
  ],
)
