import { and, asc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Executor } from '../../db/client.ts'
import { readPage } from '../../db/paging.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { canMoveWithdrawal, type WithdrawalStatus } from '../../domain/withdrawal.ts'
import { figureCount } from '../../figures/figures.queries.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { users } from '../users/users.tables.ts'
import { type WithdrawalFilter, withdrawalsWhere } from './withdrawals.filter.ts'
import { withdrawals } from './withdrawals.tables.ts'

export type Withdrawal = typeof withdrawals.$inferSelect
export type WithdrawalKey = Pick<Withdrawal, 'sellerId' | 'id'>
export type WithdrawalChanges = Partial<
  Pick<Withdrawal, 'statusReason' | 'approvedBy' | 'approvedAt' | 'completedAt' | 'endToEndId'>
>

/** What counts towards a day's limit: money that left, or may still leave. */
const COUNTED = ['pending_approval', 'approved', 'processing', 'completed'] as const

export const SELLER_NOT_APPROVED = 'seller_not_approved'

const only = ({ sellerId, id }: WithdrawalKey) => and(eq(withdrawals.sellerId, sellerId), eq(withdrawals.id, id))

const anyOf = (keys: readonly WithdrawalKey[]): SQL => sql`
  (${withdrawals.sellerId}, ${withdrawals.id}) in (
    select * from unnest(
      ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ id }) => id))}
    )
  )`

const mayReceive = sql`${users.approved} and ${users.deletedAt} is null`

// How long a payout is left alone after a question about it: longer the longer it has been out, up to 15 minutes.
const isDue = (now: Date): SQL => sql`
  ${withdrawals.lastAttemptAt} + greatest(
    interval '30 seconds',
    least(interval '15 minutes', (${withdrawals.lastAttemptAt} - ${withdrawals.sentAt}) / 2)
  ) <= ${now.toISOString()}::timestamptz`

const createPayoutQueue = (db: Executor) => ({
  /**
   * Takes approved withdrawals, oldest first, and marks them as sent, so that nobody else sends them. A seller who is
   * being suspended right now is waited for by the next batch.
   */
  async claimApproved(provider: string, limit: number, now: Date): Promise<Withdrawal[]> {
    const { rows } = await db.execute<{ seller_id: string; id: string }>(sql`
      select ${withdrawals.sellerId}, ${withdrawals.id} from ${withdrawals}
      join ${users} on ${users.id} = ${withdrawals.sellerId}
      where ${withdrawals.status} = 'approved' and ${mayReceive}
      order by ${withdrawals.id} limit ${limit}
      for update of withdrawals skip locked for share of users skip locked`)
    if (rows.length === 0) return []
    const keys = rows.map((row) => ({ sellerId: row.seller_id, id: row.id }))
    const changes = { status: 'processing', statusReason: null, sentAt: now, lastAttemptAt: now } as const
    return db
      .update(withdrawals)
      .set({ ...changes, provider, updatedAt: now })
      .where(and(anyOf(keys), eq(withdrawals.status, 'approved')))
      .returning()
  },

  /** Notes on approved withdrawals that their seller may not withdraw any more. Answers how many are new. */
  async updateBlocked(now: Date): Promise<number> {
    const { rowCount } = await db
      .update(withdrawals)
      .set({ statusReason: SELLER_NOT_APPROVED, updatedAt: now })
      .from(users)
      .where(
        and(
          eq(withdrawals.status, 'approved'),
          eq(users.id, withdrawals.sellerId),
          sql`not (${mayReceive})`,
          sql`${withdrawals.statusReason} is distinct from ${SELLER_NOT_APPROVED}`,
        ),
      )
    return rowCount ?? 0
  },

  /** Takes payouts without an outcome that it is time to ask about, so that nobody else asks at the same time. */
  async claimUnanswered(limit: number, now: Date): Promise<Withdrawal[]> {
    const due = db
      .select({ id: withdrawals.id })
      .from(withdrawals)
      .where(and(eq(withdrawals.status, 'processing'), isDue(now)))
      .orderBy(asc(withdrawals.lastAttemptAt))
      .limit(limit)
      .for('update', { skipLocked: true })
    return db
      .update(withdrawals)
      .set({ lastAttemptAt: now })
      .where(and(eq(withdrawals.status, 'processing'), inArray(withdrawals.id, sql`(${due})`)))
      .returning()
  },
})

export const createWithdrawalsRepository = (db: Executor) => ({
  ...createPayoutQueue(db),

  async insert(withdrawal: Withdrawal): Promise<void> {
    await db.insert(withdrawals).values(withdrawal)
  },

  async find(sellerId: string, id: string): Promise<Withdrawal | undefined> {
    const [row] = await db.select().from(withdrawals).where(only({ sellerId, id }))
    return row
  },

  /** Newest first. */
  async list(filter: WithdrawalFilter, page: PageRequest): Promise<Page<Withdrawal>> {
    const count = figureCount(db, 'withdrawal', filter, ['status'])
    return readPage({ db, table: withdrawals, id: withdrawals.id, where: withdrawalsWhere(filter), count }, page)
  },

  /** What a seller has withdrawn, or asked to, in a half open period, in centavos. */
  async sumRequested(sellerId: string, from: Date, to: Date): Promise<Centavos> {
    const [row] = await db
      .select({ total: sql`coalesce(sum(${withdrawals.amount}), 0)::bigint`.mapWith(withdrawals.amount) })
      .from(withdrawals)
      .where(
        and(
          eq(withdrawals.sellerId, sellerId),
          gte(withdrawals.requestedAt, from),
          lt(withdrawals.requestedAt, to),
          inArray(withdrawals.status, [...COUNTED]),
        ),
      )
    return row?.total ?? ZERO
  },

  async lock(key: WithdrawalKey): Promise<Withdrawal | undefined> {
    const [row] = await db.select().from(withdrawals).where(only(key)).for('update')
    return row
  },

  /** Any seller's withdrawal, for administrators, locked until the transaction ends. */
  async lockAnywhere(id: string): Promise<Withdrawal | undefined> {
    const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id)).for('update')
    return row
  },

  /** Locks many, in the order of their ids. */
  async lockMany(keys: readonly WithdrawalKey[]): Promise<Withdrawal[]> {
    if (keys.length === 0) return []
    return db.select().from(withdrawals).where(anyOf(keys)).orderBy(asc(withdrawals.id)).for('update')
  },

  /** The withdrawal after a change of state; undefined when it is no longer in the state that it was read in. */
  async move(
    withdrawal: Withdrawal,
    to: WithdrawalStatus,
    changes: WithdrawalChanges,
    now: Date,
  ): Promise<Withdrawal | undefined> {
    invariant(canMoveWithdrawal(withdrawal.status, to), `a withdrawal does not go from ${withdrawal.status} to ${to}`)
    const [row] = await db
      .update(withdrawals)
      .set({ ...changes, status: to, updatedAt: now })
      .where(and(only(withdrawal), eq(withdrawals.status, withdrawal.status)))
      .returning()
    return row
  },

  /** Files what the bank calls a payout where the first message about it did not say. */
  async updateEndToEndId(key: WithdrawalKey, endToEndId: string, now: Date): Promise<void> {
    await db.update(withdrawals).set({ endToEndId, updatedAt: now }).where(only(key))
  },
})
