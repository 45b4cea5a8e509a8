import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, sellerId } from '../db/columns.ts'
import { PROVIDER_EVENT_STATUSES } from './provider-events.statuses.ts'

/** Finds what a provider talks about without knowing the seller: one row per charge, payout, refund or dispute. */
export const providerReferences = pgTable(
  'provider_references',
  {
    provider: text('provider').notNull(),
    kind: text('kind', { enum: ['charge', 'payout', 'refund', 'dispute'] }).notNull(),
    reference: text('reference').notNull(),
    sellerId: sellerId(),
    /** Our id of the payment, withdrawal, refund or dispute. */
    resourceId: uuid('resource_id').notNull(),
  },
  (table) => [primaryKey({ name: 'provider_references_pk', columns: [table.provider, table.kind, table.reference] })],
)

/**
 * Callbacks as they came in: stored before anything is done with them, processed once, kept for replay. What is done with for
 * good is kept without what named people.
 */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    /** SHA-256 of the body: the same callback again is the same row. */
    bodyHash: text('body_hash').notNull(),
    body: text('body').notNull(),
    status: text('status', { enum: PROVIDER_EVENT_STATUSES }).notNull(),
    /** How often the same body came in. */
    timesReceived: integer('times_received').notNull(),
    attempts: integer('attempts').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
    failure: text('failure'),
    receivedAt: instant('received_at').notNull(),
    processedAt: instant('processed_at'),
  },
  (table) => [
    uniqueIndex('provider_events_body_hash_uq').on(table.provider, table.bodyHash),
    index('provider_events_status_ix').on(table.status, table.id),
    index('provider_events_due_ix').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} is not null`),
  ],
)
