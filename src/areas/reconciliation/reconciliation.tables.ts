import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, count, createdAt, instant, updatedAt } from '../../db/columns.ts'
import { LEDGER_ACCOUNTS } from '../../domain/ledger.ts'
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  PAYER_REFUND_STATUSES,
  RECONCILIATION_STATUSES,
  RESOLUTIONS,
  RUN_CAUSES,
  STATEMENT_FORMATS,
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

/** Each time that a day was compared: what came out, so that a later one shows what it corrected. */
export const reconciliationRuns = pgTable(
  'reconciliation_runs',
  {
    reconciliationId: uuid('reconciliation_id').notNull(),
    run: integer('run').notNull(),
    cause: text('cause', { enum: RUN_CAUSES }).notNull(),
    /** Who asked for it; null: the night. */
    requestedBy: uuid('requested_by'),
    /** The file that was compared with; null: the provider's own list. */
    statementId: uuid('statement_id'),
    /** Null while it runs. */
    finishedAt: instant('finished_at'),
    providerAmount: amount('provider_amount').notNull(),
    platformAmount: amount('platform_amount').notNull(),
    matchedCount: count('matched_count').notNull(),
    exceptionCount: count('exception_count').notNull(),
    /** How many exceptions of runs before it found to agree. */
    correctedCount: count('corrected_count').notNull(),
    startedAt: instant('started_at').notNull(),
  },
  (table) => [primaryKey({ name: 'reconciliation_runs_pk', columns: [table.reconciliationId, table.run] })],
)

/** A provider's statement of a day that somebody handed in as a file. Of several of a day the one handed in last counts. */
export const providerStatements = pgTable(
  'provider_statements',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    format: text('format', { enum: STATEMENT_FORMATS }).notNull(),
    sha256: text('sha256').notNull(),
    sizeBytes: count('size_bytes').notNull(),
    linesCount: count('lines_count').notNull(),
    storageKey: text('storage_key').notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: createdAt(),
    /** When it was handed in last. */
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('provider_statements_file_uq').on(table.provider, table.date, table.sha256),
    index('provider_statements_list_ix').on(table.id, table.createdAt),
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
    /** How the provider names it, and when it says that it happened; null where it has nothing. */
    reference: text('reference'),
    happenedAt: instant('happened_at'),
    sellerId: uuid('seller_id'),
    /** Our payment, refund or withdrawal. */
    subjectId: uuid('subject_id'),
    endToEndId: text('end_to_end_id'),
    providerAmount: amount('provider_amount').notNull(),
    platformAmount: amount('platform_amount').notNull(),
    /** What of the difference was posted or given back; null: nothing yet. What remains of it is the rest. */
    correctedAmount: amount('corrected_amount'),
    status: text('status', { enum: EXCEPTION_STATUSES }).notNull(),
    resolution: text('resolution', { enum: RESOLUTIONS }),
    reason: text('reason'),
    resolvedBy: uuid('resolved_by'),
    approvedBy: uuid('approved_by'),
    resolvedAt: instant('resolved_at'),
    /** The run that found it to agree; null where a person resolved it. */
    resolvedByRun: integer('resolved_by_run'),
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

/** Each time that an exception was resolved, by whom and how, and with which posting. Append only: its story. */
export const exceptionResolutions = pgTable(
  'exception_resolutions',
  {
    /** Of the posting, too, where there is one. */
    id: uuid('id').primaryKey(),
    exceptionId: uuid('exception_id').notNull(),
    resolution: text('resolution', { enum: RESOLUTIONS }).notNull(),
    reason: text('reason').notNull(),
    /** Null: a run found that it agrees. */
    resolvedBy: uuid('resolved_by'),
    approvedBy: uuid('approved_by'),
    run: integer('run'),
    /** As they stood then. */
    providerAmount: amount('provider_amount').notNull(),
    platformAmount: amount('platform_amount').notNull(),
    /** What was posted from the provider's clearing account to another, in whose book. */
    postedAmount: amount('posted_amount'),
    account: text('account', { enum: LEDGER_ACCOUNTS }),
    bookId: uuid('book_id'),
    createdAt: createdAt(),
  },
  (table) => [index('exception_resolutions_exception_ix').on(table.exceptionId, table.id)],
)

/** Money that an exception gives back to its payer. Of the platform's own book: it is no seller's. */
export const payerRefunds = pgTable(
  'payer_refunds',
  {
    /** The provider knows it by this, so that asking again is asking about it. */
    id: uuid('id').primaryKey(),
    exceptionId: uuid('exception_id').notNull(),
    provider: text('provider').notNull(),
    /** What of theirs it gives back. */
    endToEndId: text('end_to_end_id'),
    chargeReference: text('charge_reference'),
    paymentId: uuid('payment_id'),
    sellerId: uuid('seller_id'),
    amount: amount('amount').notNull(),
    status: text('status', { enum: PAYER_REFUND_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    /** How the provider names it. */
    reference: text('reference'),
    lastAttemptAt: instant('last_attempt_at'),
    completedAt: instant('completed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('payer_refunds_exception_ix').on(table.exceptionId, table.id),
    index('payer_refunds_completed_ix').on(table.provider, table.completedAt),
    index('payer_refunds_processing_ix').on(table.id).where(sql`${table.status} = 'processing'`),
  ],
)
