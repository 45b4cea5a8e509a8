import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest, Sort } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { SELLER_ACCOUNTS, type SellerAccount, type TransferKind } from '../../domain/ledger.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import { ledgerPostings, ledgerTransfers } from '../../ledger/ledger.tables.ts'

type PostingRow = typeof ledgerPostings.$inferSelect
type TransferRow = typeof ledgerTransfers.$inferSelect

/** One movement of a seller's bucket and the transfer that it is a leg of. */
export type StatementRow = { posting: PostingRow; transfer: TransferRow }

export type StatementFilter = Period & {
  /** Absent: the statements of all sellers. */
  sellerId?: string | undefined
  kinds?: readonly TransferKind[] | undefined
  buckets?: readonly SellerAccount[] | undefined
  direction?: 'credit' | 'debit' | undefined
}

/** Where a walk through a whole selection is, and in which order it goes. */
type Walk = { after: string | undefined; sort: Sort }

const given = <Value>(values: readonly Value[] | undefined): readonly Value[] | undefined =>
  values === undefined || values.length === 0 ? undefined : values

const selected = ({ sellerId, kinds, buckets, direction, from, to }: StatementFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(ledgerPostings.sellerId, sellerId),
    // Written out, so that the partial index on the sellers' buckets serves it.
    sql`${ledgerPostings.account} in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')`,
    given(buckets) && inArray(ledgerPostings.account, [...(buckets ?? [])]),
    given(kinds) && inArray(ledgerPostings.kind, [...(kinds ?? [])]),
    direction && (direction === 'credit' ? gt(ledgerPostings.amount, sql`0`) : lt(ledgerPostings.amount, sql`0`)),
    madeWithin(ledgerPostings, { from, to }),
  )

// A statement is of the seller's own buckets only.
const countPostings =
  (db: Reader, { buckets, kinds, direction, ...scope }: StatementFilter) =>
  () =>
    countTotal(db, 'posting', scope, { account: given(buckets) ?? SELLER_ACCOUNTS, kind: kinds, direction })

export const createTransactionsQueries = (db: Reader) => {
  const withTransfers = async (postings: readonly PostingRow[]): Promise<StatementRow[]> => {
    if (postings.length === 0) return []
    const transfers = await db
      .select()
      .from(ledgerTransfers)
      .where(
        and(
          inArray(ledgerTransfers.sellerId, [...new Set(postings.map(({ sellerId }) => sellerId))]),
          inArray(ledgerTransfers.id, [...new Set(postings.map(({ transferId }) => transferId))]),
        ),
      )
    const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]))
    return postings.flatMap((posting) => {
      const transfer = byId.get(posting.transferId)
      return transfer === undefined ? [] : [{ posting, transfer }]
    })
  }

  return {
    /** Newest first. */
    async list(filter: StatementFilter, request: PageRequest): Promise<Page<StatementRow>> {
      const where = selected(filter)
      const count = countPostings(db, filter)
      const page = await readPage({ db, table: ledgerPostings, id: ledgerPostings.id, where, count }, request)
      return { rows: await withTransfers(page.rows), totalRecords: page.totalRecords }
    },

    /** The next rows after the one with the id `after`: for walking through a whole selection. */
    async listAfter(filter: StatementFilter, { after, sort }: Walk, limit: number): Promise<StatementRow[]> {
      const { descending } = sort
      const isNext = after === undefined ? undefined : (descending ? lt : gt)(ledgerPostings.id, after)
      const postings = await db
        .select()
        .from(ledgerPostings)
        .where(and(selected(filter), isNext))
        .orderBy((descending ? desc : asc)(ledgerPostings.id))
        .limit(limit)
      return withTransfers(postings)
    },

    /** What a bucket of a seller held at an instant. */
    async findBalance(sellerId: string, bucket: SellerAccount, at: Date): Promise<Centavos> {
      const [row] = await db
        .select({ balance: ledgerPostings.balanceAfterAmount })
        .from(ledgerPostings)
        .where(selected({ sellerId, buckets: [bucket], to: at }))
        .orderBy(desc(ledgerPostings.id))
        .limit(1)
      return row?.balance ?? ZERO
    },

    /** A row of a seller's own statement. */
    async find(sellerId: string, id: string): Promise<StatementRow | undefined> {
      const [row] = await db
        .select({ posting: ledgerPostings, transfer: ledgerTransfers })
        .from(ledgerPostings)
        .innerJoin(
          ledgerTransfers,
          and(eq(ledgerTransfers.sellerId, ledgerPostings.sellerId), eq(ledgerTransfers.id, ledgerPostings.transferId)),
        )
        .where(
          and(
            eq(ledgerPostings.sellerId, sellerId),
            eq(ledgerPostings.id, id),
            inArray(ledgerPostings.account, [...SELLER_ACCOUNTS]),
          ),
        )
      return row
    },
  }
}
