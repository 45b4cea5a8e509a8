import { and, asc, eq, gte, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import type { Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import { insertMany } from '../../db/write.ts'
import { type DisputeStatus, disputeLifecycle } from '../../domain/dispute.ts'
import { createDisputesQueries, type Dispute, type DisputeFile, type DisputeKey, only } from './disputes.queries.ts'
import { disputeFiles, disputes } from './disputes.tables.ts'

type Blocked = Pick<
  Dispute,
  'blockedAmount' | 'frozenReserveAmount' | 'fromPendingAmount' | 'fromAvailableAmount' | 'draws'
>
type Changes = Partial<Pick<Dispute, 'defense' | 'defendedAt' | 'resolvedAt' | 'resolvedBy'>>

const untold = and(isNotNull(disputes.defendedAt), isNull(disputes.defenseToldAt))

const lockUntoldDefenses = (db: Writer, limit: number, retryBefore: Date) =>
  db
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(untold, or(isNull(disputes.defenseAttemptAt), lte(disputes.defenseAttemptAt, retryBefore))))
    .orderBy(asc(disputes.defendedAt))
    .limit(limit)
    .for('update', { skipLocked: true })

export const createDisputesRepository = (db: Writer) => ({
  ...createDisputesQueries(db),

  async insertFiles(files: readonly DisputeFile[]): Promise<void> {
    if (files.length > 0) await db.insert(disputeFiles).values([...files])
  },

  /** Takes defences that the provider was not told of, at the earliest `retryBefore` after the last attempt. */
  async claimUntoldDefenses(limit: number, { now, retryBefore }: { now: Date; retryBefore: Date }): Promise<Dispute[]> {
    const due = lockUntoldDefenses(db, limit, retryBefore)
    return db
      .update(disputes)
      .set({ defenseAttemptAt: now })
      .where(and(untold, inArray(disputes.id, sql`(${due})`)))
      .returning()
  },

  /** Notes that the provider took a defence, or why it never will. */
  async updateDefenseTold(key: DisputeKey, refusal: string | null, now: Date): Promise<void> {
    await db
      .update(disputes)
      .set({ defenseToldAt: now, defenseRefusal: refusal, updatedAt: now })
      .where(and(only(key), isNull(disputes.defenseToldAt)))
  },

  /** Takes open disputes that are due between two instants and whose sellers were not reminded; marks them reminded. */
  async claimForReminder({ now, until }: { now: Date; until: Date }, limit: number): Promise<Dispute[]> {
    const open = and(eq(disputes.status, 'open'), isNull(disputes.remindedAt))
    const due = db
      .select({ id: disputes.id })
      .from(disputes)
      .where(and(open, gte(disputes.respondBy, now), lte(disputes.respondBy, until)))
      .orderBy(asc(disputes.respondBy))
      .limit(limit)
      .for('update', { skipLocked: true })
    return db
      .update(disputes)
      .set({ remindedAt: now })
      .where(and(open, inArray(disputes.id, sql`(${due})`)))
      .returning()
  },

  /** Notes that the provider, too, says that a dispute is lost which the clock had ended. */
  async updateConfirmed(key: DisputeKey, now: Date): Promise<void> {
    await db
      .update(disputes)
      .set({ resolvedBy: 'provider', updatedAt: now })
      .where(and(only(key), eq(disputes.status, 'lost')))
  },

  async insert(dispute: Dispute): Promise<void> {
    await insertMany(db, disputes, [dispute], { follow: dailyTotals })
  },

  async lock(key: DisputeKey): Promise<Dispute | undefined> {
    const [row] = await db.select().from(disputes).where(only(key)).for('update')
    return row
  },

  /** All disputes of a payment, locked. Lock the payment first: no other one begins until the transaction ends. */
  async lockByPayment({ sellerId, id }: { sellerId: string; id: string }): Promise<Dispute[]> {
    return db
      .select()
      .from(disputes)
      .where(and(eq(disputes.sellerId, sellerId), eq(disputes.paymentId, id)))
      .orderBy(asc(disputes.id))
      .for('update')
  },

  /** Writes what stands in for a locked dispute. */
  async updateBlocked(key: DisputeKey, blocked: Blocked, now: Date): Promise<void> {
    await db
      .update(disputes)
      .set({ ...blocked, updatedAt: now })
      .where(only(key))
  },

  /** The dispute after a change of state; undefined when it is no longer in the state that it was read in. */
  async move(dispute: Dispute, to: DisputeStatus, changes: Changes, now: Date): Promise<Dispute | undefined> {
    const [row] = await moveWhere(db, disputes, disputeLifecycle, {
      from: dispute.status,
      to,
      changes: { ...changes, updatedAt: now },
      where: only(dispute),
      follow: dailyTotals,
    })
    return row
  },
})
