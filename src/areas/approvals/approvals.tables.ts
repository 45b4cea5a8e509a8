import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, updatedAt } from '../../db/columns.ts'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../domain/approval.ts'

/** When two administrators are needed. At most one row. */
export const approvalPolicy = pgTable(
  'approval_policy',
  {
    id: integer('id').primaryKey(),
    withdrawalFromAmount: amount('withdrawal_from_amount'),
    adjustmentFromAmount: amount('adjustment_from_amount'),
    writeOffFromAmount: amount('write_off_from_amount'),
    treasuryPayoutFromAmount: amount('treasury_payout_from_amount'),
    /** Null: not asked for yet, as false. */
    fees: boolean('fees'),
    roles: boolean('roles'),
    updatedAt: updatedAt(),
  },
  (table) => [check('approval_policy_id_ck', sql`${table.id} = 1`)],
)

/**
 * What one administrator proposed and another decides. Few, and some of no seller: a directory of the platform, found by its
 * id alone.
 */
export const approvals = pgTable(
  'approvals',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: APPROVAL_KINDS }).notNull(),
    /** The withdrawal, or what the proposed thing will be called once it is done. */
    subjectId: uuid('subject_id').notNull(),
    sellerId: uuid('seller_id'),
    amount: amount('amount').notNull(),
    reason: text('reason'),
    /** What is done when it is approved, as it was proposed. */
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: APPROVAL_STATUSES }).notNull(),
    proposedBy: uuid('proposed_by').notNull(),
    decidedBy: uuid('decided_by'),
    decisionReason: text('decision_reason'),
    decidedAt: instant('decided_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('approvals_list_ix').on(table.id, table.createdAt),
    index('approvals_status_ix').on(table.status, table.id),
    // Two administrators who propose the same thing make one proposal.
    uniqueIndex('approvals_pending_uq').on(table.kind, table.subjectId).where(sql`${table.status} = 'pending'`),
  ],
)
