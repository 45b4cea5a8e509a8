import { and, asc, desc, eq, getTableColumns, inArray, lt, lte, not, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import { uuids } from '../../db/arrays.ts'
import type { Reader } from '../../db/client.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { refunds } from '../refunds/refunds.tables.ts'
import { type DisputeFilter, disputesWhere } from './disputes.filter.ts'
import { disputeFiles, disputes } from './disputes.tables.ts'

export type Dispute = typeof disputes.$inferSelect
export type DisputeKey = Pick<Dispute, 'sellerId' | 'id'>
export type DisputeFile = typeof disputeFiles.$inferSelect

export const only = ({ sellerId, id }: DisputeKey) => and(eq(disputes.sellerId, sellerId), eq(disputes.id, id))

type Columns = { sellerId: AnyPgColumn; id: AnyPgColumn }

const among = ({ sellerId, id }: Columns, keys: readonly DisputeKey[]): SQL => sql`
  (${sellerId}, ${id}) in (
    select * from unnest(
      ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ id }) => id))}
    )
  )`

// By type and status the total is known beforehand; whatever else narrows a list has to be counted.
const countOf = (db: Reader, { type, status, paymentId, respondBefore, ...scope }: DisputeFilter) => {
  if (paymentId !== undefined || respondBefore !== undefined) return undefined
  return () => countTotal(db, 'dispute', scope, { type, status })
}

export const createDisputesQueries = (db: Reader) => ({
  /** The files of some disputes, in the order in which they were sent. */
  async listFiles(keys: readonly DisputeKey[]): Promise<DisputeFile[]> {
    if (keys.length === 0) return []
    const { sellerId, disputeId } = disputeFiles
    return db
      .select()
      .from(disputeFiles)
      .where(among({ sellerId, id: disputeId }, keys))
      .orderBy(asc(disputeFiles.id))
  },

  async findFile(dispute: DisputeKey, fileId: string): Promise<DisputeFile | undefined> {
    const { sellerId, id, disputeId } = disputeFiles
    const [file] = await db
      .select()
      .from(disputeFiles)
      .where(and(eq(sellerId, dispute.sellerId), eq(disputeId, dispute.id), eq(id, fileId)))
    return file
  },

  /** Open disputes whose time to answer has passed, the longest overdue first. One with a refund on its way waits. */
  async listUnanswered(now: Date, limit: number): Promise<Dispute[]> {
    const refundOut = sql`exists (
      select from ${refunds} where ${refunds.sellerId} = ${disputes.sellerId}
        and ${refunds.paymentId} = ${disputes.paymentId} and ${refunds.status} = 'processing'
    )`
    return db
      .select()
      .from(disputes)
      .where(and(eq(disputes.status, 'open'), lt(disputes.respondBy, now), not(refundOut)))
      .orderBy(asc(disputes.respondBy))
      .limit(limit)
  },

  async find(sellerId: string, id: string): Promise<Dispute | undefined> {
    const [row] = await db.select().from(disputes).where(only({ sellerId, id }))
    return row
  },

  /** A dispute of any seller. For administrators only. */
  async findAnywhere(id: string): Promise<Dispute | undefined> {
    const [row] = await db.select().from(disputes).where(eq(disputes.id, id)).limit(1)
    return row
  },

  /** Newest first. */
  async list(filter: DisputeFilter, page: PageRequest): Promise<Page<Dispute>> {
    return readPage(
      { db, table: disputes, id: disputes.id, where: disputesWhere(filter), count: countOf(db, filter) },
      page,
    )
  },

  /** What payers claim, or got, of some sellers, the newest first, at most `limit` of each. */
  async listAgainst(sellerIds: readonly string[], limit: number): Promise<Dispute[]> {
    if (sellerIds.length === 0) return []
    const place = sql<number>`row_number() over (partition by ${disputes.sellerId} order by ${disputes.id} desc)`
    const claimed = db
      .select({ ...getTableColumns(disputes), place: place.as('place') })
      .from(disputes)
      .where(
        and(inArray(disputes.sellerId, [...sellerIds]), inArray(disputes.status, ['open', 'under_review', 'lost'])),
      )
      .as('claimed')
    return db.select().from(claimed).where(lte(claimed.place, limit)).orderBy(desc(claimed.id))
  },

  async listByKeys(keys: readonly DisputeKey[]): Promise<Dispute[]> {
    if (keys.length === 0) return []
    return db.select().from(disputes).where(among(disputes, keys))
  },

  /** What lost disputes took of a payment, in centavos. Lock the payment for it to stay true. */
  async sumLost({ sellerId, id }: { sellerId: string; id: string }): Promise<Centavos> {
    const taken = sql`coalesce(sum(${disputes.blockedAmount} + ${disputes.frozenReserveAmount}), 0)::bigint`
    const [row] = await db
      .select({ total: taken.mapWith(disputes.blockedAmount) })
      .from(disputes)
      .where(and(eq(disputes.sellerId, sellerId), eq(disputes.paymentId, id), eq(disputes.status, 'lost')))
    return row?.total ?? ZERO
  },
})
