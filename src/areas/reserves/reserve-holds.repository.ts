import { and, asc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { isAnyOf, uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { insertMany, writeFollowed } from '../../db/write.ts'
import { type Centavos, subtract } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import { type ReserveHoldStatus, reserveHoldLifecycle } from '../../domain/reserve-hold.ts'
import { reserveHolds } from './reserves.tables.ts'

export type ReserveHold = typeof reserveHolds.$inferSelect

export type ReserveHoldFilter = Period & {
  /** Absent: the holds of all sellers. */
  sellerId?: string | undefined
  status?: readonly ReserveHoldStatus[] | undefined
}

/** What a seller had in reserve at an instant, and has still. */
export type HeldUntil = { sellerId: string; heldUntil: Date }

const remaining = sql`${reserveHolds.amount} - ${reserveHolds.releasedAmount} - ${reserveHolds.consumedAmount}`

const onlyHold = (sellerId: string, id: string) => and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.id, id))

const stillHeld = ({ sellerId, heldUntil }: HeldUntil) =>
  and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.status, 'held'), lte(reserveHolds.heldAt, heldUntil))

const selected = ({ sellerId, status, from, to }: ReserveHoldFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(reserveHolds.sellerId, sellerId),
    status === undefined || status.length === 0 ? undefined : inArray(reserveHolds.status, [...status]),
    madeWithin(reserveHolds, { from, to }),
  )

const selectByPayment = (db: Reader, sellerId: string, paymentId: string) =>
  db
    .select()
    .from(reserveHolds)
    .where(and(eq(reserveHolds.sellerId, sellerId), eq(reserveHolds.paymentId, paymentId)))
    .orderBy(sql`${reserveHolds.releaseAt} desc`, asc(reserveHolds.id))

/** Locks holds in the order of their days, leaving those alone that another process is working on. */
const lockFree = (db: Writer, where: SQL | undefined, limit: number): Promise<ReserveHold[]> =>
  db
    .select()
    .from(reserveHolds)
    .where(where)
    .orderBy(asc(reserveHolds.releaseAt))
    .limit(limit)
    .for('update', { skipLocked: true })

export const createReserveHoldsQueries = (db: Reader) => ({
  async find(sellerId: string, id: string): Promise<ReserveHold | undefined> {
    const [hold] = await db.select().from(reserveHolds).where(onlyHold(sellerId, id))
    return hold
  },

  /** Newest first. */
  async list(filter: ReserveHoldFilter, page: PageRequest): Promise<Page<ReserveHold>> {
    return readPage({ db, table: reserveHolds, id: reserveHolds.id, where: selected(filter) }, page)
  },

  /** The holds of one payment in the order in which they are drawn: what would be released first, last. */
  async listByPayment(sellerId: string, paymentId: string): Promise<ReserveHold[]> {
    return selectByPayment(db, sellerId, paymentId)
  },

  /** Holds whose time has come, oldest first. */
  async listDue(now: Date, limit: number): Promise<Pick<ReserveHold, 'sellerId' | 'id'>[]> {
    return db
      .select({ sellerId: reserveHolds.sellerId, id: reserveHolds.id })
      .from(reserveHolds)
      .where(and(eq(reserveHolds.status, 'held'), lte(reserveHolds.releaseAt, now)))
      .orderBy(asc(reserveHolds.releaseAt))
      .limit(limit)
  },

  /** How many of them there are, those included that others are working on. */
  async countHeld(held: HeldUntil): Promise<number> {
    return db.$count(reserveHolds, stillHeld(held))
  },
})

export const createReserveHoldsRepository = (db: Writer) => ({
  ...createReserveHoldsQueries(db),

  /**
   * Holds back money that `reserveHeld` has moved to the reserve, one row per hold. What a failed refund gives back to
   * the reserve is a new hold with the old one's `releaseAt`: a hold is released only once.
   */
  async insert(holds: readonly ReserveHold[]): Promise<void> {
    await insertMany(db, reserveHolds, holds, { follow: dailyTotals })
  },

  /** Locks a hold of any seller until the transaction ends. Post to the ledger last. */
  async lock(id: string): Promise<ReserveHold | undefined> {
    const [hold] = await db.select().from(reserveHolds).where(eq(reserveHolds.id, id)).for('update')
    return hold
  },

  /** The same, locked until the transaction ends. Lock the payment first and post to the ledger last. */
  async lockByPayment(sellerId: string, paymentId: string): Promise<ReserveHold[]> {
    return selectByPayment(db, sellerId, paymentId).for('update')
  },

  /** Locks some of these holds, leaving those alone that are no longer held or that another process is working on. */
  async lockMany(holds: readonly Pick<ReserveHold, 'sellerId' | 'id'>[]): Promise<ReserveHold[]> {
    const ids = uuids(holds.map(({ id }) => id))
    const sellerIds = uuids(holds.map(({ sellerId }) => sellerId))
    const given = sql`(${reserveHolds.sellerId}, ${reserveHolds.id}) in (select * from unnest(${sellerIds}, ${ids}))`
    return lockFree(db, and(eq(reserveHolds.status, 'held'), given), holds.length)
  },

  /** Locks what a seller has in reserve, as `lockMany` does, whenever its time would come. Frozen holds stay. */
  async lockHeld(held: HeldUntil, limit: number): Promise<ReserveHold[]> {
    return lockFree(db, stillHeld(held), limit)
  },

  /** Marks locked holds as released: all that was left of each. Answers how many were still held. */
  async release(ids: readonly string[], now: Date): Promise<number> {
    if (ids.length === 0) return 0
    const released = await moveWhere(db, reserveHolds, reserveHoldLifecycle, {
      from: 'held',
      to: 'released',
      changes: { releasedAmount: sql`${reserveHolds.releasedAmount} + ${remaining}`, updatedAt: now },
      where: isAnyOf(reserveHolds.id, ids),
      follow: dailyTotals,
    })
    return released.length
  },

  /** Freezes a hold while a dispute runs, or thaws it. False: it is not in the state it should come from. */
  async move(
    { sellerId, id }: Pick<ReserveHold, 'sellerId' | 'id'>,
    from: ReserveHoldStatus,
    to: ReserveHoldStatus,
    now: Date,
  ): Promise<boolean> {
    const where = onlyHold(sellerId, id)
    const move = { from, to, changes: { updatedAt: now }, where, follow: dailyTotals }
    const moved = await moveWhere(db, reserveHolds, reserveHoldLifecycle, move)
    return moved.length === 1
  },

  /**
   * Takes an amount out of a hold for a refund or a lost dispute; a hold of which nothing is left is `consumed`.
   * False: it was released, or holds less than that.
   */
  async consume(sellerId: string, id: string, amount: Centavos, now: Date): Promise<boolean> {
    const changes = { consumedAmount: sql`${reserveHolds.consumedAmount} + ${amount}`, updatedAt: now }
    const update = db
      .update(reserveHolds)
      .set(changes)
      .where(and(onlyHold(sellerId, id), inArray(reserveHolds.status, ['held', 'frozen']), gte(remaining, amount)))
    const [after] = await writeFollowed(db, reserveHolds, update, { operation: 'update', follow: dailyTotals })
    if (after === undefined) return false
    if (subtract(after.amount, after.releasedAmount, after.consumedAmount) === 0) {
      await this.move(after, after.status, 'consumed', now)
    }
    return true
  },
})
