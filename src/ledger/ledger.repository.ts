import { and, eq } from 'drizzle-orm'
import { dailyTotals } from '../daily-totals/counting.ts'
import { bigints, booleans, instants, integers, texts, uuids, words } from '../db/arrays.ts'
import type { Reader, Writer } from '../db/client.ts'
import { Fixed, send, sendWrite, statement } from '../db/statement.ts'
import { BOOK_ACCOUNTS, LEDGER_ACCOUNTS, type LedgerAccount, type TransferKind } from '../domain/ledger.ts'
import { centavos, ZERO } from '../domain/money.ts'
import { PLATFORM_BOOK_ID } from '../domain/platform-transfers.ts'
import type { Transfer } from '../domain/transfer.ts'
import type { NewId } from '../ids.ts'
import { createLedgerQueries } from './ledger.queries.ts'
import { ledgerAccounts } from './ledger.tables.ts'
import {
  accountKey,
  type LockedAccount,
  type PostingPlan,
  type PostOutcome,
  planPostings,
  transferKey,
} from './posting-plan.ts'

// `available` sorts first in every book and is always among them, so that posts to one seller queue at one row: they
// cannot deadlock, none can miss a transfer that another has just posted, and the ids of a book's postings grow in the
// order in which their transactions commit.
const accountsToLock = (transfers: readonly Transfer[]): [sellerId: string, account: LedgerAccount][] => {
  const wanted = new Map<string, [string, LedgerAccount]>()
  for (const { sellerId, postings } of transfers) {
    for (const account of ['available', ...postings.map((posting) => posting.account)] as const) {
      wanted.set(accountKey(sellerId, account), [sellerId, account])
    }
  }
  return [...wanted.values()]
}

type AccountRow = { seller_id: string; account: LedgerAccount; balance_amount: string; last_posting_id: string | null }
type TransferRow = { seller_id: string; reference_id: string; kind: TransferKind }

const lockAccounts = async (db: Writer, transfers: readonly Transfer[]): Promise<LockedAccount[]> => {
  const wanted = accountsToLock(transfers)
  const { rows } = await sendWrite<AccountRow>(
    db,
    statement`
    select seller_id, account, balance_amount, last_posting_id from ledger_accounts
    where (seller_id, account) in (
      select * from unnest(${uuids(wanted.map(([id]) => id))}, ${words(wanted.map(([, account]) => account))})
    )
    order by seller_id, account for update`,
  )
  return rows.map((row) => ({
    sellerId: row.seller_id,
    account: row.account,
    balanceAmount: centavos(Number(row.balance_amount)),
    lastPostingId: row.last_posting_id,
  }))
}

// A statement of its own behind the locks: it must see what was committed while they were waited for.
const findPosted = async (db: Reader, transfers: readonly Transfer[]): Promise<ReadonlySet<string>> => {
  const { rows } = await send<TransferRow>(
    db,
    statement`
    select seller_id, reference_id, kind from ledger_transfers
    where (seller_id, reference_id, kind) in (
      select * from unnest(
        ${uuids(transfers.map(({ sellerId }) => sellerId))},
        ${uuids(transfers.map(({ referenceId }) => referenceId))},
        ${words(transfers.map(({ kind }) => kind))}
      )
    )`,
  )
  return new Set(
    rows.map((row) => transferKey({ sellerId: row.seller_id, referenceId: row.reference_id, kind: row.kind })),
  )
}

const COUNTED = new Fixed(dailyTotals('insert'))

const writePlan = async (db: Writer, { transfers, postings, accounts }: PostingPlan): Promise<void> => {
  // In the list of columns arrays are walked through side by side. As a table, all of each would be stored first.
  await sendWrite(
    db,
    statement`
    with transfers as (
      insert into ledger_transfers (seller_id, id, kind, reference_type, reference_id, description, legs, forced, created_at)
      select
        unnest(${uuids(transfers.map(({ sellerId }) => sellerId))}),
        unnest(${uuids(transfers.map(({ id }) => id))}),
        unnest(${words(transfers.map(({ kind }) => kind))}),
        unnest(${words(transfers.map(({ referenceType }) => referenceType))}),
        unnest(${uuids(transfers.map(({ referenceId }) => referenceId))}),
        unnest(${texts(transfers.map(({ description }) => description))}),
        unnest(${integers(transfers.map(({ legs }) => legs))}),
        unnest(${booleans(transfers.map(({ forced }) => forced))}),
        unnest(${instants(transfers.map(({ createdAt }) => createdAt))})
    ), changed as (
      insert into ledger_postings (seller_id, id, transfer_id, account, kind, method, provider, leg, legs, amount,
        balance_after_amount, created_at)
      select
        unnest(${uuids(postings.map(({ sellerId }) => sellerId))}),
        unnest(${uuids(postings.map(({ id }) => id))}),
        unnest(${uuids(postings.map(({ transferId }) => transferId))}),
        unnest(${words(postings.map(({ account }) => account))}),
        unnest(${words(postings.map(({ kind }) => kind))}),
        unnest(${words(postings.map(({ method }) => method))}),
        unnest(${words(postings.map(({ provider }) => provider))}),
        unnest(${integers(postings.map(({ leg }) => leg))}),
        unnest(${integers(postings.map(({ legs }) => legs))}),
        unnest(${bigints(postings.map(({ amount }) => amount))}),
        unnest(${bigints(postings.map(({ balanceAfterAmount }) => balanceAfterAmount))}),
        unnest(${instants(postings.map(({ createdAt }) => createdAt))})
      returning new
    ), counted as (${COUNTED})
    update ledger_accounts set balance_amount = changed.balance_amount, last_posting_id = changed.last_posting_id
    from unnest(
      ${uuids(accounts.map(({ sellerId }) => sellerId))},
      ${words(accounts.map(({ account }) => account))},
      ${bigints(accounts.map(({ balanceAmount }) => balanceAmount))},
      ${uuids(accounts.map(({ lastPostingId }) => lastPostingId))}
    ) as changed (seller_id, account, balance_amount, last_posting_id)
    where ledger_accounts.seller_id = changed.seller_id and ledger_accounts.account = changed.account`,
  )
}

const accountsOf = (sellerId: string, accounts: readonly LedgerAccount[]) =>
  accounts.map((account) => ({ sellerId, account, balanceAmount: ZERO, lastPostingId: null }))

export const createLedgerRepository = (db: Writer, newId: NewId) => ({
  ...createLedgerQueries(db),

  /** Opens a seller's book: every account, at zero. Once, at registration. */
  async openBook(sellerId: string): Promise<void> {
    await db.insert(ledgerAccounts).values(accountsOf(sellerId, BOOK_ACCOUNTS))
  },

  /** Locks a seller's book until the transaction ends, so that what is read of it now is what is posted to. */
  async lockBook(sellerId: string): Promise<void> {
    await db
      .select()
      .from(ledgerAccounts)
      .where(and(eq(ledgerAccounts.sellerId, sellerId), eq(ledgerAccounts.account, 'available')))
      .for('update')
  },

  /** Opens the platform's own book unless it is open, and locks it until the transaction ends. */
  async lockPlatformBook(): Promise<void> {
    await db.insert(ledgerAccounts).values(accountsOf(PLATFORM_BOOK_ID, LEDGER_ACCOUNTS)).onConflictDoNothing()
    await this.lockBook(PLATFORM_BOOK_ID)
  },

  /**
   * Posts many transfers, of any sellers, in their order: the only writer of balances. Answers one outcome each, in
   * the same order. An unforced transfer that would take a seller's bucket below zero is refused alone, and one that
   * was posted before (same seller, reference and kind) is `already_posted`.
   *
   * Throws InvariantError for a seller without a book. Call it last in a transaction: it holds the book until the end.
   */
  async post(transfers: readonly Transfer[], now: Date): Promise<PostOutcome[]> {
    if (transfers.length === 0) return []
    const [locked, posted] = await Promise.all([lockAccounts(db, transfers), findPosted(db, transfers)])
    const plan = planPostings(transfers, locked, posted, { newId, now })
    if (plan.transfers.length > 0) await writePlan(db, plan)
    return plan.outcomes
  },
})
