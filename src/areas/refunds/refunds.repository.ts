import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readNext, readPage, type Walk } from '../../db/paging.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { type RefundStatus, refundLifecycle } from '../../domain/refund.ts'
import { type RefundFilter, refundsWhere } from './refunds.filter.ts'
import { refunds } from './refunds.tables.ts'

export type Refund = typeof refunds.$inferSelect
export type RefundKey = Pick<Refund, 'sellerId' | 'id'>

const anyOf = (keys: readonly RefundKey[]): SQL => sql`
  (${refunds.sellerId}, ${refunds.id}) in (
    select * from unnest(
      ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ id }) => id))}
    )
  )`

// How long a refund is left alone after a question about it: longer the longer it has been out, up to 15 minutes.
const isDue = (now: Date): SQL => sql`
  ${refunds.lastAttemptAt} + greatest(
    interval '30 seconds',
    least(interval '15 minutes', (${refunds.lastAttemptAt} - ${refunds.sentAt}) / 2)
  ) <= ${now.toISOString()}::timestamptz`

const claim = async (
  db: Writer,
  condition: SQL | undefined,
  limit: number,
  changes: Partial<Pick<Refund, 'sentAt' | 'lastAttemptAt'>>,
): Promise<Refund[]> => {
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.status, 'processing'), condition))
    .orderBy(asc(refunds.createdAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(refunds)
    .set(changes)
    .where(and(eq(refunds.status, 'processing'), inArray(refunds.id, sql`(${due})`)))
    .returning()
}

export const createRefundsQueries = (db: Reader) => ({
  /** Newest first. */
  async list(filter: RefundFilter, page: PageRequest): Promise<Page<Refund>> {
    return readPage({ db, table: refunds, id: refunds.id, where: refundsWhere(filter) }, page)
  },

  /** The next refunds behind a place in the list. */
  listNext(filter: RefundFilter, walk: Walk, limit: number): Promise<Refund[]> {
    return readNext({ db, table: refunds, id: refunds.id, where: refundsWhere(filter) }, walk, limit)
  },

  async listByKeys(keys: readonly RefundKey[]): Promise<Refund[]> {
    if (keys.length === 0) return []
    return db.select().from(refunds).where(anyOf(keys))
  },

  /** The refunds of a payment that are on their way. Lock the payment for it to stay true. */
  async listProcessing({ sellerId, id }: { sellerId: string; id: string }): Promise<Refund[]> {
    return db
      .select()
      .from(refunds)
      .where(and(eq(refunds.sellerId, sellerId), eq(refunds.paymentId, id), eq(refunds.status, 'processing')))
      .orderBy(asc(refunds.id))
  },

  /** What of a payment is on its way back to the payer, in centavos. Lock the payment for it to stay true. */
  async sumProcessing({ sellerId, id }: { sellerId: string; id: string }): Promise<Centavos> {
    const [row] = await db
      .select({ total: sql`coalesce(sum(${refunds.amount}), 0)::bigint`.mapWith(refunds.amount) })
      .from(refunds)
      .where(and(eq(refunds.sellerId, sellerId), eq(refunds.paymentId, id), eq(refunds.status, 'processing')))
    return row?.total ?? ZERO
  },
})

export const createRefundsRepository = (db: Writer) => ({
  ...createRefundsQueries(db),

  /** Takes accepted refunds, oldest first, and marks them as sent, so that nobody else sends them. */
  claimUnsent: (limit: number, now: Date) =>
    claim(db, isNull(refunds.sentAt), limit, { sentAt: now, lastAttemptAt: now }),

  /** Takes refunds without an outcome that it is time to ask about, so that nobody else asks at the same time. */
  claimUnanswered: (limit: number, now: Date) => claim(db, isDue(now), limit, { lastAttemptAt: now }),

  async insert(refund: Refund): Promise<void> {
    await db.insert(refunds).values(refund)
  },

  /** Locks refunds in the order of their ids. Lock their payments first. */
  async lockMany(keys: readonly RefundKey[]): Promise<Refund[]> {
    if (keys.length === 0) return []
    return db.select().from(refunds).where(anyOf(keys)).orderBy(asc(refunds.id)).for('update')
  },

  /** The refund after a change of state; undefined when it is no longer in the state that it was read in. */
  async move(refund: Refund, to: RefundStatus, statusReason: string | null, now: Date): Promise<Refund | undefined> {
    const { sellerId, id, status } = refund
    const where = and(eq(refunds.sellerId, sellerId), eq(refunds.id, id))
    const [row] = await moveWhere(db, refunds, refundLifecycle, {
      from: status,
      to,
      changes: { statusReason, updatedAt: now },
      where,
    })
    return row
  },
})
