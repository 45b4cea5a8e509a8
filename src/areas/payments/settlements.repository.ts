import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { isAnyOf, uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { type Moved, moveMany } from '../../db/move.ts'
import { insertMany, writeFollowed } from '../../db/write.ts'
import type { Draw } from '../../domain/draws.ts'
import { invariant } from '../../domain/invariant.ts'
import { negate } from '../../domain/money.ts'
import { settlementLifecycle } from '../../domain/settlement.ts'
import type { PaymentKey } from './payments.repository.ts'
import { paymentSettlements } from './payments.tables.ts'

export type Settlement = typeof paymentSettlements.$inferSelect
export type SettlementKey = Pick<Settlement, 'sellerId' | 'id' | 'paymentId'>

const onlyWaiting = (sellerId: string, id: string) =>
  and(
    eq(paymentSettlements.sellerId, sellerId),
    eq(paymentSettlements.id, id),
    eq(paymentSettlements.status, 'waiting'),
  )

// The check on the table refuses to cancel more than there is, or to give back more than was canceled.
const cancelOne = async (db: Writer, sellerId: string, { id, amount }: Draw, now: Date): Promise<void> => {
  const update = db
    .update(paymentSettlements)
    .set({ canceledAmount: sql`${paymentSettlements.canceledAmount} + ${amount}`, updatedAt: now })
    .where(onlyWaiting(sellerId, id))
  const canceled = await writeFollowed(db, paymentSettlements, update, { operation: 'update', follow: dailyTotals })
  invariant(canceled.length === 1, 'a part of a locked payment was settled by someone else')
}

export const createSettlementsQueries = (db: Reader) => ({
  /** Parts of a payment that still wait, in the order in which they are drawn: the latest first. */
  async listWaiting(sellerId: string, paymentId: string): Promise<Settlement[]> {
    return db
      .select()
      .from(paymentSettlements)
      .where(
        and(
          eq(paymentSettlements.sellerId, sellerId),
          eq(paymentSettlements.paymentId, paymentId),
          eq(paymentSettlements.status, 'waiting'),
        ),
      )
      .orderBy(desc(paymentSettlements.installment))
  },

  /** Parts whose date has come, oldest first. `today` is a São Paulo date. */
  async listDue(today: string, limit: number): Promise<SettlementKey[]> {
    const { sellerId, id, paymentId } = paymentSettlements
    return db
      .select({ sellerId, id, paymentId })
      .from(paymentSettlements)
      .where(and(eq(paymentSettlements.status, 'waiting'), lte(paymentSettlements.availableOn, today)))
      .orderBy(asc(paymentSettlements.availableOn))
      .limit(limit)
  },

  /** All parts of several payments, in the order of their installments. */
  async listByPayments(keys: readonly PaymentKey[]): Promise<Settlement[]> {
    if (keys.length === 0) return []
    const { sellerId, paymentId, installment } = paymentSettlements
    const [sellerIds, ids] = [uuids(keys.map((key) => key.sellerId)), uuids(keys.map(({ id }) => id))]
    return db
      .select()
      .from(paymentSettlements)
      .where(sql`(${sellerId}, ${paymentId}) in (select * from unnest(${sellerIds}, ${ids}))`)
      .orderBy(asc(sellerId), asc(paymentId), asc(installment))
  },

  async listByPayment(sellerId: string, paymentId: string): Promise<Settlement[]> {
    return db
      .select()
      .from(paymentSettlements)
      .where(and(eq(paymentSettlements.sellerId, sellerId), eq(paymentSettlements.paymentId, paymentId)))
      .orderBy(asc(paymentSettlements.installment))
  },
})

export const createSettlementsRepository = (db: Writer) => ({
  ...createSettlementsQueries(db),

  /**
   * What refunds and disputes take out of parts that wait. Lock their payment first: it keeps them waiting. Throws
   * InvariantError for a part that no longer waits.
   */
  async cancel(sellerId: string, draws: readonly Draw[], now: Date): Promise<void> {
    for (const draw of draws) await cancelOne(db, sellerId, draw, now)
  },

  /** Gives back what was canceled. Throws InvariantError for a part that no longer waits. */
  async restore(sellerId: string, draws: readonly Draw[], now: Date): Promise<void> {
    for (const { id, amount } of draws) await cancelOne(db, sellerId, { id, amount: negate(amount) }, now)
  },

  async insertMany(rows: readonly Settlement[]): Promise<void> {
    await insertMany(db, paymentSettlements, rows, { follow: dailyTotals })
  },

  /** Locks those of these parts that still wait. Lock their payments first. */
  async lockWaiting(ids: readonly string[]): Promise<Settlement[]> {
    if (ids.length === 0) return []
    return db
      .select()
      .from(paymentSettlements)
      .where(and(isAnyOf(paymentSettlements.id, ids), eq(paymentSettlements.status, 'waiting')))
      .orderBy(asc(paymentSettlements.sellerId), asc(paymentSettlements.id))
      .for('update')
  },

  /** Writes locked parts as they are to stand. Throws InvariantError for one that no longer waits. */
  async moveMany(moves: readonly Moved<typeof paymentSettlements>[]): Promise<void> {
    await moveMany(db, paymentSettlements, settlementLifecycle, moves, {
      keys: ['sellerId', 'id'],
      set: ['canceledAmount', 'settledAt', 'updatedAt'],
      follow: dailyTotals,
    })
  },
})
