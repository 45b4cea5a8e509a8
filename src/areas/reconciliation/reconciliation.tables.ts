import { date, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, count, createdAt, instant, updatedAt } from '../../db/columns.ts'
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  RECONCILIATION_STATUSES,
  RESOLUTIONS,
  STATEMENT_LINE_KINDS,
} from '../../domain/reconciliation.ts'

/** One São Paulo day at one provider, as it was compared last. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    status: text('status', { enum: RECONCILIATION_STATUSES }).notNull(),
    /** How often it was begun: the lines of the last finished one are kept. */
    run: integer('run').notNull(),
    providerAmount: amount('provider_amount').notNull(),
    platformAmount: amount('platform_amount').notNull(),
    matchedCount: count('matched_count').notNull(),
    exceptionCount: count('exception_count').notNull(),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('reconciliations_provider_date_uq').on(table.provider, table.date),
    index('reconciliations_list_ix').on(table.id, table.createdAt),
    index('reconciliations_status_ix').on(table.status, table.date),
  ],
)

/** What a provider says happened, and what of ours it is about where that is known. Of the provider, not of a seller. */
export const providerStatementLines = pgTable(
  'provider_statement_lines',
  {
    reconciliationId: uuid('reconciliation_id').notNull(),
    run: integer('run').notNull(),
    number: integer('number').notNull(),
    kind: text('kind', { enum: STATEMENT_LINE_KINDS }).notNull(),
    reference: text('reference').notNull(),
    endToEndId: text('end_to_end_id'),
    amount: amount('amount').notNull(),
    feeAmount: amount('fee_amount'),
    happenedAt: instant('happened_at').notNull(),
    sellerId: uuid('seller_id'),
    subjectId: uuid('subject_id'),
  },
  (table) => [
    primaryKey({
      name: 'provider_statement_lines_pk',
      columns: [table.reconciliationId, table.run, table.number],
    }),
    index('provider_statement_lines_subject_ix').on(table.subjectId),
  ],
)

/** Something that the provider and the books do not agree on. Never edited away: resolved with a reason, opened again. */
export const reconciliationExceptions = pgTable(
  'reconciliation_exceptions',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    kind: text('kind', { enum: EXCEPTION_KINDS }).notNull(),
    lineKind: text('line_kind', { enum: STATEMENT_LINE_KINDS }).notNull(),
    /** What tells it from the others of its day, in every run. */
    subject: text('subject').notNull(),
    sellerId: uuid('seller_id'),
    /** Our payment, refund or withdrawal. */
    subjectId: uuid('subject_id'),
    endToEndId: text('end_to_end_id'),
    providerAmount: amount('provider_amount').notNull(),
    platformAmount: amount('platform_amount').notNull(),
    status: text('status', { enum: EXCEPTION_STATUSES }).notNull(),
    resolution: text('resolution', { enum: RESOLUTIONS }),
    reason: text('reason'),
    resolvedBy: uuid('resolved_by'),
    approvedBy: uuid('approved_by'),
    resolvedAt: instant('resolved_at'),
    /** How often it was opened again because the facts had changed. */
    reopenedCount: integer('reopened_count').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('reconciliation_exceptions_subject_uq').on(table.provider, table.date, table.kind, table.subject),
    index('reconciliation_exceptions_list_ix').on(table.id, table.createdAt),
    index('reconciliation_exceptions_status_ix').on(table.status, table.id),
  ],
)
