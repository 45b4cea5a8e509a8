import { and, asc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { insertRows } from '../../db/rows.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Centavos } from '../../domain/money.ts'
import { canMoveReserveHold, type ReserveHoldStatus } from '../../domain/reserve-hold.ts'
import { reserveHolds } from './reserves.tables.ts'

export type ReserveHold = typeof reserveHolds.$inferSelect

const remaining = sql`${reserveHolds.amount} - ${reserveHolds.releasedAmount} - ${reserveHolds.consumedAmount}`

const onlyHold = (sellerId: string, id: string) => and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.id, id))

export const createReserveHoldsRepository = (db: Executor) => ({
  /**
   * Holds back money that `reserveHeld` has moved to the reserve, one row per hold. What a failed refund gives back to
   * the reserve is a new hold with the old one's `releaseAt`: a hold is released only once.
   */
  async insert(holds: readonly ReserveHold[]): Promise<void> {
    await insertRows(db, reserveHolds, holds)
  },

  async find(sellerId: string, id: string): Promise<ReserveHold | undefined> {
    const [hold] = await db.select().from(reserveHolds).where(onlyHold(sellerId, id))
    return hold
  },

  /** The holds of one payment in the order in which they are drawn: what would be released first, last. */
  async listByPayment(sellerId: string, paymentId: string): Promise<ReserveHold[]> {
    return db
      .select()
      .from(reserveHolds)
      .where(and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.paymentId, paymentId)))
      .orderBy(sql`${reserveHolds.releaseAt} desc`, asc(reserveHolds.id))
  },

  /** The same, locked until the transaction ends. Lock the payment first and post to the ledger last. */
  async lockByPayment(sellerId: string, paymentId: string): Promise<ReserveHold[]> {
    return db
      .select()
      .from(reserveHolds)
      .where(and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.paymentId, paymentId)))
      .orderBy(sql`${reserveHolds.releaseAt} desc`, asc(reserveHolds.id))
      .for('update')
  },

  /** Locks holds whose time has come, oldest first, leaving those alone that another process is working on. */
  async lockDue(now: Date, limit: number): Promise<ReserveHold[]> {
    return db
      .select()
      .from(reserveHolds)
      .where(and(eq(reserveHolds.status, 'held'), lte(reserveHolds.releaseAt, now)))
      .orderBy(asc(reserveHolds.releaseAt))
      .limit(limit)
      .for('update', { skipLocked: true })
  },

  /** Marks locked holds as released: all that was left of each. Answers how many were still held. */
  async release(ids: readonly string[], now: Date): Promise<number> {
    if (ids.length === 0) return 0
    const { rowCount } = await db
      .update(reserveHolds)
      .set({ status: 'released', releasedAmount: sql`${reserveHolds.releasedAmount} + ${remaining}`, updatedAt: now })
      .where(and(inArray(reserveHolds.id, [...ids]), eq(reserveHolds.status, 'held')))
    return rowCount ?? 0
  },

  /** Freezes a hold while a dispute runs, or thaws it. False: it is not in the state it should come from. */
  async move(
    { sellerId, id }: Pick<ReserveHold, 'sellerId' | 'id'>,
    from: ReserveHoldStatus,
    to: ReserveHoldStatus,
    now: Date,
  ): Promise<boolean> {
    invariant(canMoveReserveHold(from, to), `a hold does not go from ${from} to ${to}`)
    const { rowCount } = await db
      .update(reserveHolds)
      .set({ status: to, updatedAt: now })
      .where(and(onlyHold(sellerId, id), eq(reserveHolds.status, from)))
    return rowCount === 1
  },

  /**
   * Takes an amount out of a hold for a refund or a lost dispute; a hold of which nothing is left is `consumed`.
   * False: it was released, or holds less than that.
   */
  async consume(sellerId: string, id: string, amount: Centavos, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(reserveHolds)
      .set({
        consumedAmount: sql`${reserveHolds.consumedAmount} + ${amount}`,
        status: sql`case when ${remaining} = ${amount} then 'consumed' else ${reserveHolds.status} end`,
        updatedAt: now,
      })
      .where(and(onlyHold(sellerId, id), inArray(reserveHolds.status, ['held', 'frozen']), gte(remaining, amount)))
    return rowCount === 1
  },
})
