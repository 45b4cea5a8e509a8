import { customType, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant, sellerId } from '../db/columns.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * Seals over the postings of each book, one link after the other: a link covers those after the link before it, up to
 * `lastPostingId`. Written behind the money, by `chainLedger` alone. Append only.
 */
export const ledgerChain = pgTable(
  'ledger_chain',
  {
    sellerId: sellerId(),
    /** From 1, without gaps. */
    sequence: integer('sequence').notNull(),
    lastPostingId: uuid('last_posting_id').notNull(),
    postingsCount: integer('postings_count').notNull(),
    /** The first four bytes of each posting's hash, in their order: tells at which posting a link broke. */
    fingerprints: bytes('fingerprints').notNull(),
    /** HMAC-SHA-256 over the hash of the link before it, the postings and the rest of this row. */
    hash: bytes('hash').notNull(),
    /** By the clock of the database. */
    chainedAt: instant('chained_at').notNull(),
  },
  (table) => [primaryKey({ name: 'ledger_chain_pk', columns: [table.sellerId, table.sequence] })],
)
