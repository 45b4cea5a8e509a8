import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, updatedAt } from '../../db/columns.ts'
import { PIX_KEY_TYPES } from '../../domain/contact.ts'
import { TREASURY_PAYOUT_STATUSES } from '../../domain/treasury.ts'

/** What the platform pays out to itself. Of no seller, and few. */
export const treasuryPayouts = pgTable(
  'treasury_payouts',
  {
    id: uuid('id').primaryKey(),
    amount: amount('amount').notNull(),
    pixKeyType: text('pix_key_type', { enum: PIX_KEY_TYPES }).notNull(),
    pixKey: text('pix_key').notNull(),
    reason: text('reason').notNull(),
    status: text('status', { enum: TREASURY_PAYOUT_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    provider: text('provider').notNull(),
    reference: text('reference'),
    endToEndId: text('end_to_end_id'),
    proposedBy: uuid('proposed_by').notNull(),
    /** The second administrator; null where the policy asked for none. */
    approvedBy: uuid('approved_by'),
    /** When it was last sent or asked about; null while it never was. */
    lastAttemptAt: instant('last_attempt_at'),
    completedAt: instant('completed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check('treasury_payouts_amount_ck', sql`${table.amount} > 0`),
    index('treasury_payouts_list_ix').on(table.id, table.createdAt),
    index('treasury_payouts_status_ix').on(table.status, table.id),
  ],
)
