import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId, updatedAt } from '../db/columns.ts'
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../domain/webhook.ts'

export type PreviousSecret = { sealed: string; validUntil: string }

/**
 * An endpoint of a seller, and the queue in which its deliveries wait: what the seller sets is written in api/, what is due
 * and how the endpoint fares in engine/.
 */
export const sellerWebhooks = pgTable(
  'seller_webhooks',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
    events: text('events').array().notNull(),
    description: text('description'),
    status: text('status', { enum: WEBHOOK_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    /** Sealed with the encryption key of the environment. */
    secretSealed: text('secret_sealed').notNull(),
    /** The secrets before it that still sign, newest first, sealed in the same way. */
    previousSecrets: jsonb('previous_secrets').$type<readonly PreviousSecret[]>().notNull().default([]),
    /** Attempts in a row that did not reach a working server. */
    consecutiveFailures: integer('consecutive_failures').notNull().default(0),
    /** Attempts without success since the last success, of every kind. */
    failedAttempts: integer('failed_attempts').notNull().default(0),
    failingSince: instant('failing_since'),
    /** What the last attempt that failed brought, in the words of attempts, and the status of the answer if one came. */
    lastFailure: text('last_failure'),
    lastFailureStatus: integer('last_failure_status'),
    /** The circuit breaker: while open, no attempt is made and none is burnt. */
    breakerOpenUntil: instant('breaker_open_until'),
    breakerOpenings: integer('breaker_openings').notNull().default(0),
    lastSuccessAt: instant('last_success_at'),
    /**
     * When the queue wants to be looked at again: never later than its next due delivery, its earliest lease's end or the
     * breaker's. Null: nothing waits. Everyone who adds or changes a pending delivery sets it, under the row's lock.
     */
    nextDueAt: instant('next_due_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ name: 'seller_webhooks_pk', columns: [table.sellerId, table.id] }),
    index('seller_webhooks_live_ix').on(table.sellerId).where(sql`${table.deletedAt} is null`),
    index('seller_webhooks_due_ix')
      .on(table.nextDueAt)
      .where(sql`${table.status} = 'enabled' and ${table.deletedAt} is null`),
  ],
)

/** One event for one endpoint: the queue and the log in one row. The engine alone writes it. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    eventType: text('event_type').notNull(),
    /** 0 for the fan-out's own; a resend or a recovery counts up. */
    replayNumber: integer('replay_number').notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    attemptsMade: integer('attempts_made').notNull(),
    /** While leased this is the lease's end, so that a dead worker's deliveries become due by themselves. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Names one claim. What a stale worker says comes with another token and changes nothing. */
    leaseToken: uuid('lease_token'),
    leasedBy: uuid('leased_by'),
    leasedUntil: instant('leased_until'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'webhook_deliveries_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'webhook_deliveries_webhook_id_fk',
      columns: [table.sellerId, table.webhookId],
      foreignColumns: [sellerWebhooks.sellerId, sellerWebhooks.id],
    }),
    // Finds those whose events go with their part, whatever became of them.
    index('webhook_deliveries_event_id_ix').using('brin', table.eventId),
    uniqueIndex('webhook_deliveries_event_uq').on(table.sellerId, table.eventId, table.webhookId, table.replayNumber),
    index('webhook_deliveries_webhook_id_ix').on(
      table.sellerId,
      table.webhookId,
      table.id,
      table.status,
      table.createdAt,
    ),
    // What a seller looks for among the many that arrived. Few go in, and only when they have ended.
    index('webhook_deliveries_failed_ix')
      .on(table.sellerId, table.webhookId, table.id, table.status)
      .where(sql`${table.status} in ('failed', 'canceled')`),
    index('webhook_deliveries_due_ix')
      .on(table.webhookId, table.nextAttemptAt, table.id)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_leased_ix')
      .on(table.webhookId)
      .where(sql`${table.status} = 'pending' and ${table.leaseToken} is not null`),
  ],
)

/** What one try brought: append only. In parts by month, as the id has it: see src/db/partitions.ts. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    deliveryId: uuid('delivery_id').notNull(),
    attempt: integer('attempt').notNull(),
    result: text('result').notNull(),
    responseStatus: integer('response_status'),
    responseSnippet: text('response_snippet'),
    durationMs: integer('duration_ms').notNull(),
    /** Of the bytes that were sent, in hexadecimal. Null in rows from before it was kept. */
    bodySha256: text('body_sha256'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'webhook_attempts_pk', columns: [table.sellerId, table.id] }),
    index('webhook_attempts_delivery_id_ix').on(table.sellerId, table.deliveryId, table.attempt),
  ],
)

/** Events since an instant that a seller asked to have sent again: worked off in batches, so that it outlives every process. */
export const webhookRecoveries = pgTable(
  'webhook_recoveries',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    webhookId: uuid('webhook_id').notNull(),
    /** Events from here on, up to the recovery's own creation. */
    since: instant('since').notNull(),
    /** The last event that was looked at. */
    cursorEventId: uuid('cursor_event_id').notNull(),
    resentCount: integer('resent_count').notNull().default(0),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ name: 'webhook_recoveries_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'webhook_recoveries_webhook_id_fk',
      columns: [table.sellerId, table.webhookId],
      foreignColumns: [sellerWebhooks.sellerId, sellerWebhooks.id],
    }),
    index('webhook_recoveries_webhook_id_ix').on(table.sellerId, table.webhookId),
    uniqueIndex('webhook_recoveries_running_uq')
      .on(table.sellerId, table.webhookId)
      .where(sql`${table.finishedAt} is null`),
  ],
)
