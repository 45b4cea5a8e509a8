import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { uuids } from '../../db/arrays.ts'
import type { Executor } from '../../db/client.ts'
import { readPage } from '../../db/paging.ts'
import { canMoveDispute, type DisputeStatus } from '../../domain/dispute.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { figureCount } from '../../figures/figures.queries.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { refunds } from '../refunds/refunds.tables.ts'
import { type DisputeFilter, disputesWhere } from './disputes.filter.ts'
import { disputeFiles, disputes } from './disputes.tables.ts'

export type Dispute = typeof disputes.$inferSelect
export type DisputeKey = Pick<Dispute, 'sellerId' | 'id'>
export type DisputeFile = typeof disputeFiles.$inferSelect

type Blocked = Pick<
  Dispute,
  'blockedAmount' | 'frozenReserveAmount' | 'fromPendingAmount' | 'fromAvailableAmount' | 'draws'
>
type Changes = Partial<Pick<Dispute, 'defense' | 'defendedAt' | 'resolvedAt' | 'resolvedBy'>>

const only = ({ sellerId, id }: DisputeKey) => and(eq(disputes.sellerId, sellerId), eq(disputes.id, id))

type Columns = { sellerId: AnyPgColumn; id: AnyPgColumn }

const among = ({ sellerId, id }: Columns, keys: readonly DisputeKey[]): SQL => sql`
  (${sellerId}, ${id}) in (
    select * from unnest(
      ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ id }) => id))}
    )
  )`

const createDefenses = (db: Executor) => ({
  async insertFiles(files: readonly DisputeFile[]): Promise<void> {
    if (files.length > 0) await db.insert(disputeFiles).values([...files])
  },

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

  /** Takes defences that the provider was not told of, at the earliest `retryBefore` after the last attempt. */
  async claimUntoldDefenses(limit: number, { now, retryBefore }: { now: Date; retryBefore: Date }): Promise<Dispute[]> {
    const untold = and(isNotNull(disputes.defendedAt), isNull(disputes.defenseToldAt))
    const due = db
      .select({ id: disputes.id })
      .from(disputes)
      .where(and(untold, or(isNull(disputes.defenseAttemptAt), lte(disputes.defenseAttemptAt, retryBefore))))
      .orderBy(asc(disputes.defendedAt))
      .limit(limit)
      .for('update', { skipLocked: true })
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
})

const createDeadlines = (db: Executor) => ({
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
})

export const createDisputesRepository = (db: Executor) => ({
  ...createDefenses(db),
  ...createDeadlines(db),

  async insert(dispute: Dispute): Promise<void> {
    await db.insert(disputes).values(dispute)
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
    const count = figureCount(db, 'dispute', filter, ['type', 'status'])
    return readPage({ db, table: disputes, id: disputes.id, where: disputesWhere(filter), count }, page)
  },

  async listByKeys(keys: readonly DisputeKey[]): Promise<Dispute[]> {
    if (keys.length === 0) return []
    return db.select().from(disputes).where(among(disputes, keys))
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

  /** What lost disputes took of a payment, in centavos. Lock the payment for it to stay true. */
  async sumLost({ sellerId, id }: { sellerId: string; id: string }): Promise<Centavos> {
    const taken = sql`coalesce(sum(${disputes.blockedAmount} + ${disputes.frozenReserveAmount}), 0)::bigint`
    const [row] = await db
      .select({ total: taken.mapWith(disputes.blockedAmount) })
      .from(disputes)
      .where(and(eq(disputes.sellerId, sellerId), eq(disputes.paymentId, id), eq(disputes.status, 'lost')))
    return row?.total ?? ZERO
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
    invariant(canMoveDispute(dispute.status, to), `a dispute does not go from ${dispute.status} to ${to}`)
    const [row] = await db
      .update(disputes)
      .set({ ...changes, status: to, updatedAt: now })
      .where(and(only(dispute), eq(disputes.status, dispute.status)))
      .returning()
    return row
  },
})
