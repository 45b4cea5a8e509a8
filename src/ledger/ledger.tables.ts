import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, createdAt, sellerId } from '../db/columns.ts'
import { LEDGER_ACCOUNTS, TRANSFER_KINDS } from '../domain/ledger.ts'
import { PAYMENT_METHODS } from '../domain/payment.ts'
import { REFERENCE_TYPES } from '../domain/transfer.ts'

/** Whether a posting is of a transfer that does more than to bring and settle payments: few are, and indexes hold them. */
export const isMovement = (kind: SQLWrapper): SQL =>
  sql`${kind} not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')`

/** One balance per account of a seller's book. Only `post()` writes it, in the transaction of the postings. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    sellerId: sellerId(),
    account: text('account', { enum: LEDGER_ACCOUNTS }).notNull(),
    balanceAmount: amount('balance_amount').notNull(),
    /**
     * Of `available`, which every post locks and writes: the last posting of the book. The next one's id is greater,
     * whatever the clocks of the processes say, so that the ids of a book are in the order of its commits.
     */
    lastPostingId: uuid('last_posting_id'),
  },
  (table) => [primaryKey({ name: 'ledger_accounts_pk', columns: [table.sellerId, table.account] })],
)

/** A balanced movement of money within one book. Append only. */
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: TRANSFER_KINDS }).notNull(),
    referenceType: text('reference_type', { enum: REFERENCE_TYPES }).notNull(),
    referenceId: uuid('reference_id').notNull(),
    description: text('description').notNull(),
    /** How many postings it has. */
    legs: smallint('legs').notNull(),
    createdAt: createdAt(),
    /** Was allowed to take a bucket below zero. */
    forced: boolean('forced').notNull(),
  },
  (table) => [
    primaryKey({ name: 'ledger_transfers_pk', columns: [table.sellerId, table.id] }),
    // For its postings, which are as many as it says.
    unique('ledger_transfers_legs_uq').on(table.sellerId, table.id, table.legs),
    // The same thing never moves money twice in the same way.
    uniqueIndex('ledger_transfers_reference_uq').on(table.sellerId, table.referenceId, table.kind),
  ],
)

/**
 * One leg of a transfer; a row of the seller's statement where the account is theirs. Append only.
 * Invariant: the legs of a transfer sum to zero. `guards.sql` asserts it when the transfer is written; no leg can be added
 * later, because each number from 1 to `legs` is taken by then.
 */
export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    transferId: uuid('transfer_id').notNull(),
    account: text('account', { enum: LEDGER_ACCOUNTS }).notNull(),
    /** That of its transfer, so that statements are narrowed by it without looking at each transfer. */
    kind: text('kind', { enum: TRANSFER_KINDS }).notNull(),
    /** How the payment was paid that money moved for; null where it moved for none. */
    method: text('method', { enum: PAYMENT_METHODS }),
    /** Whose services earned or cost it, for reports. The chain does not seal it: payments and payouts say it, too. */
    provider: text('provider'),
    /** From 1 to `legs`, the number of legs of its transfer. */
    leg: smallint('leg').notNull(),
    legs: smallint('legs').notNull(),
    amount: amount('amount').notNull(),
    balanceAfterAmount: amount('balance_after_amount').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'ledger_postings_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'ledger_postings_transfer_id_fk',
      columns: [table.sellerId, table.transferId, table.legs],
      foreignColumns: [ledgerTransfers.sellerId, ledgerTransfers.id, ledgerTransfers.legs],
    }),
    // Its number of legs is the transfer's, so that this numbers the legs of each transfer.
    unique('ledger_postings_leg_uq').on(table.sellerId, table.transferId, table.legs, table.leg),
    check('ledger_postings_leg_ck', sql`${table.leg} between 1 and ${table.legs}`),
    index('ledger_postings_account_ix').on(table.sellerId, table.account, table.id),
    // Of one seller and of all, by what is rare: the ordinary is found by going through the statement.
    index('ledger_postings_kind_ix').on(table.sellerId, table.kind, table.id).where(isMovement(table.kind)),
    index('ledger_postings_all_kind_ix').on(table.kind, table.id).where(isMovement(table.kind)),
    index('ledger_postings_all_account_ix')
      .on(table.account, table.id)
      .where(sql`${table.account} in ('blocked', 'withdrawing')`),
    // The statements of all sellers, newest first, for administrators.
    index('ledger_postings_all_ix')
      .on(table.id, table.account, table.kind)
      .where(sql`${table.account} in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')`),
    // Reports know whole days beforehand. Of a part of one they read the rows, which lie in the order of their time.
    index('ledger_postings_created_at_ix').using('brin', table.createdAt),
  ],
)
