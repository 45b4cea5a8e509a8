import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { count, instant } from '../db/columns.ts'
import type { Finding } from './ledger-proof.ts'

/** Each nightly proof of all books: how far it has come and what it found. Times are real, not the platform's. */
export const ledgerProofs = pgTable(
  'ledger_proofs',
  {
    id: uuid('id').primaryKey(),
    startedAt: instant('started_at').notNull(),
    /** Null: it goes on after the books of `provenThrough`. */
    finishedAt: instant('finished_at'),
    provenThrough: uuid('proven_through').notNull(),
    booksCount: integer('books_count').notNull(),
    findingsCount: integer('findings_count').notNull(),
    /** The first of them. */
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    /** What the steps took together. */
    durationMs: count('duration_ms').notNull(),
  },
  (table) => [
    index('ledger_proofs_finished_at_ix').on(table.finishedAt),
    // One proof at a time, however many processes begin one.
    uniqueIndex('ledger_proofs_running_uq').on(sql`(true)`).where(sql`${table.finishedAt} is null`),
  ],
)
