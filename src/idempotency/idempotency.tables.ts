import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../db/columns.ts'

/**
 * First answers by key, kept for 24 hours, in parts by day. Written in the transaction that did the work.
 * Invariant: a key has one row. Its lock keeps that, which everyone holds who inserts: no constraint spans the parts.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The caller: a seller, or the administrator. */
    ownerId: uuid('owner_id').notNull(),
    /** Method and path. */
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is still running. */
    status: integer('status'),
    body: text('body'),
    /** The thing that a running request makes, and until when nobody else goes on with it. */
    resourceId: uuid('resource_id'),
    leasedUntil: instant('leased_until'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({
      name: 'idempotency_keys_pk',
      columns: [table.ownerId, table.operation, table.key, table.createdAt],
    }),
  ],
)
