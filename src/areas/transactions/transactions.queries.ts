import { and, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readNext, readPage, type Walk } from '../../db/paging.ts'
import { SELLER_ACCOUNTS, type SellerAccount, type TransferKind } from '../../domain/ledger.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import { ledgerPostings, ledgerTransfers } from '../../ledger/ledger.tables.ts'
import { disputes } from '../disputes/disputes.tables.ts'
import { paymentSettlements, payments } from '../payments/payments.tables.ts'
import { refunds } from '../refunds/refunds.tables.ts'
import { reserveHolds } from '../reserves/reserves.tables.ts'

type PostingRow = typeof ledgerPostings.$inferSelect
type TransferRow = typeof ledgerTransfers.$inferSelect
type Referring = typeof paymentSettlements | typeof reserveHolds | typeof refunds | typeof disputes

/** One movement of a seller's bucket, the transfer that it is a leg of, and the payment that money moved for. */
export type StatementRow = {
  posting: PostingRow
  transfer: TransferRow
  paymentId: string | null
  externalReference: string | null
  /** What the transfer brought the platform as its revenue, negative for what it gave back. */
  feeAmount: Centavos
}

export type StatementFilter = Period & {
  /** Absent: the statements of all sellers. */
  sellerId?: string | undefined
  kinds?: readonly TransferKind[] | undefined
  buckets?: readonly SellerAccount[] | undefined
  direction?: 'credit' | 'debit' | undefined
}

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

// What a transfer refers to, by a table in which it names its payment.
const paymentOf = (table: Referring): SQL => sql`(
  select ${table.paymentId} from ${table}
  where ${table.sellerId} = ${ledgerTransfers.sellerId} and ${table.id} = ${ledgerTransfers.referenceId})`

const paymentIdOf = sql`case ${ledgerTransfers.referenceType}
  when 'payment' then ${ledgerTransfers.referenceId}
  when 'settlement' then ${paymentOf(paymentSettlements)}
  when 'hold' then ${paymentOf(reserveHolds)}
  when 'refund' then ${paymentOf(refunds)}
  when 'dispute' then ${paymentOf(disputes)} end`

const feeAmountOf = sql`coalesce((
  select sum(${ledgerPostings.amount})::bigint from ${ledgerPostings}
  where ${ledgerPostings.sellerId} = ${ledgerTransfers.sellerId} and ${ledgerPostings.transferId} = ${ledgerTransfers.id}
    and ${ledgerPostings.account} = 'fee_revenue'), 0)`.mapWith(ledgerPostings.amount) as SQL<Centavos>

export const createTransactionsQueries = (db: Reader) => {
  const withTransfers = async (postings: readonly PostingRow[]): Promise<StatementRow[]> => {
    if (postings.length === 0) return []
    const sellerIds = [...new Set(postings.map(({ sellerId }) => sellerId))]
    const ids = [...new Set(postings.map(({ transferId }) => transferId))]
    const transfers = await db
      .select({
        transfer: ledgerTransfers,
        paymentId: payments.id,
        externalReference: payments.externalReference,
        feeAmount: feeAmountOf,
      })
      .from(ledgerTransfers)
      .leftJoin(payments, and(eq(payments.sellerId, ledgerTransfers.sellerId), eq(payments.id, paymentIdOf)))
      .where(and(inArray(ledgerTransfers.sellerId, sellerIds), inArray(ledgerTransfers.id, ids)))
    const byId = new Map(transfers.map((row) => [row.transfer.id, row]))
    return postings.flatMap((posting) => {
      const found = byId.get(posting.transferId)
      return found === undefined ? [] : [{ posting, ...found }]
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

    /** The next rows behind a place in the list: for walking through a whole selection. */
    async listNext(filter: StatementFilter, walk: Walk, limit: number): Promise<StatementRow[]> {
      const source = { db, table: ledgerPostings, id: ledgerPostings.id, where: selected(filter) }
      return withTransfers(await readNext(source, walk, limit))
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
      const postings = await db
        .select()
        .from(ledgerPostings)
        .where(
          and(
            eq(ledgerPostings.sellerId, sellerId),
            eq(ledgerPostings.id, id),
            inArray(ledgerPostings.account, [...SELLER_ACCOUNTS]),
          ),
        )
      const [row] = await withTransfers(postings)
      return row
    },
  }
}
