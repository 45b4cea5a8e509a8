import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, rateBps, sellerId, updatedAt } from '../../db/columns.ts'
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal.ts'
import { users } from '../users/users.tables.ts'

export const PIX_KEY_TYPES = ['cpf', 'cnpj', 'email', 'phone', 'evp'] as const

type Searched = { id: AnyPgColumn; description: AnyPgColumn; pixKey: AnyPgColumn; endToEndId: AnyPgColumn }

/** What a search looks through. The index holds the same expression, so both change together. */
export const withdrawalSearchText = ({ id, description, pixKey, endToEndId }: Searched): SQL => sql`
  (${id}::text || chr(10) || ${pixKey} || chr(10) || coalesce(${endToEndId}, '') || chr(10) || coalesce(${description}, ''))`

/** What a seller may withdraw and what it costs them. One per seller. */
export const withdrawalConfigs = pgTable(
  'withdrawal_configs',
  {
    id: uuid('id').primaryKey(),
    sellerId: sellerId().references(() => users.id),
    minAmount: amount('min_amount').notNull(),
    maxAmount: amount('max_amount').notNull(),
    dailyLimitAmount: amount('daily_limit_amount').notNull(),
    feePercentage: rateBps('fee_percentage_bps').notNull(),
    feeFixedAmount: amount('fee_fixed_amount').notNull(),
    /** Up to this amount no administrator is asked; zero asks always. */
    autoApproveMaxAmount: amount('auto_approve_max_amount').notNull(),
    isActive: boolean('is_active').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('withdrawal_configs_seller_id_uq').on(table.sellerId),
    index('withdrawal_configs_list_ix').on(table.id, table.createdAt),
    check('withdrawal_configs_amounts_ck', sql`${table.minAmount} > 0 and ${table.minAmount} <= ${table.maxAmount}`),
  ],
)

export const withdrawals = pgTable(
  'withdrawals',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    amount: amount('amount').notNull(),
    feeAmount: amount('fee_amount').notNull(),
    netAmount: amount('net_amount').notNull(),
    pixKeyType: text('pix_key_type', { enum: PIX_KEY_TYPES }).notNull(),
    pixKey: text('pix_key').notNull(),
    description: text('description'),
    status: text('status', { enum: WITHDRAWAL_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    provider: text('provider').notNull(),
    endToEndId: text('end_to_end_id'),
    requestedBy: uuid('requested_by').notNull(),
    approvedBy: uuid('approved_by'),
    requestedAt: instant('requested_at').notNull(),
    approvedAt: instant('approved_at'),
    /** When the payout was first handed to the provider. */
    sentAt: instant('sent_at'),
    /** When the payout was last sent or asked about; null while it never was. */
    lastAttemptAt: instant('last_attempt_at'),
    completedAt: instant('completed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'withdrawals_pk', columns: [table.sellerId, table.id] }),
    check(
      'withdrawals_amounts_ck',
      sql`${table.netAmount} > 0 and ${table.netAmount} + ${table.feeAmount} = ${table.amount}`,
    ),
    index('withdrawals_status_ix').on(table.sellerId, table.status, table.id),
    index('withdrawals_requested_at_ix').on(table.sellerId, table.requestedAt),
    index('withdrawals_list_ix').on(table.sellerId, table.id, table.createdAt),
    // Within a seller: the columns are intersected.
    index('withdrawals_search_ix').using('gin', table.sellerId, sql`${withdrawalSearchText(table)} gin_trgm_ops`),
    // The platform-wide lists of administrators and the payout job's queue.
    index('withdrawals_all_status_ix').on(table.status, table.id),
    index('withdrawals_all_ix').on(table.id, table.createdAt),
  ],
)
