import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { amount, rateBps, updatedAt } from '../../db/columns.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'

/** What providers charge the platform for payments. A few rows for the whole platform. */
export const providerCosts = pgTable(
  'provider_costs',
  {
    provider: text('provider').notNull(),
    method: text('method', { enum: PAYMENT_METHODS }).notNull(),
    installmentsFrom: smallint('installments_from').notNull(),
    installmentsTo: smallint('installments_to').notNull(),
    percentage: rateBps('percentage_bps').notNull(),
    fixedAmount: amount('fixed_amount').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({
      name: 'provider_costs_pk',
      columns: [table.provider, table.method, table.installmentsFrom],
    }),
    check('provider_costs_installments_ck', sql`${table.installmentsFrom} <= ${table.installmentsTo}`),
  ],
)
