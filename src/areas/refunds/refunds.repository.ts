import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Executor } from '../../db/client.ts'
import { readPage } from '../../db/paging.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { canMoveRefund, type RefundStatus } from '../../domain/refund.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
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

const createRefundQueue = (db: Executor) => {
  const claim = async (
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
  return {
    /** Takes accepted refunds, oldest first, and marks them as sent, so that nobody else sends them. */
    claimUnsent: (limit: number, now: Date) =>
      claim(isNull(refunds.sentAt), limit, { sentAt: now, lastAttemptAt: now }),

    /** Takes refunds without an outcome that it is time to ask about, so that nobody else asks at the same time. */
    claimUnanswered: (limit: number, now: Date) => claim(isDue(now), limit, { lastAttemptAt: now }),
  }
}

export const createRefundsRepository = (db: Executor) => ({
  ...createRefundQueue(db),

  async insert(refund: Refund): Promise<void> {
    await db.insert(refunds).values(refund)
  },

  /** Newest first. */
  async list(filter: RefundFilter, page: PageRequest): Promise<Page<Refund>> {
    return readPage({ db, table: refunds, id: refunds.id, where: refundsWhere(filter) }, page)
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

  /** Locks refunds in the order of their ids. Lock their payments first. */
  async lockMany(keys: readonly RefundKey[]): Promise<Refund[]> {
    if (keys.length === 0) return []
    return db.select().from(refunds).where(anyOf(keys)).orderBy(asc(refunds.id)).for('update')
  },

  /** The refund after a change of state; undefined when it is no longer in the state that it was read in. */
  async move(refund: Refund, to: RefundStatus, statusReason: string | null, now: Date): Promise<Refund | undefined> {
    invariant(canMoveRefund(refund.status, to), `a refund does not go from ${refund.status} to ${to}`)
    const { sellerId, id, status } = refund
    const [row] = await db
      .update(refunds)
      .set({ status: to, statusReason, updatedAt: now })
      .where(and(eq(refunds.sellerId, sellerId), eq(refunds.id, id), eq(refunds.status, status)))
      .returning()
    return row
  },
})
