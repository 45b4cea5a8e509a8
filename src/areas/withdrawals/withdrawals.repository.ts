import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { uuids } from '../../db/arrays.ts'
import type { Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import { insertMany } from '../../db/write.ts'
import { type WithdrawalStatus, withdrawalLifecycle } from '../../domain/withdrawal.ts'
import { users } from '../users/users.tables.ts'
import {
  blockedBy,
  createWithdrawalsQueries,
  mayReceive,
  only,
  owes,
  type Withdrawal,
  type WithdrawalKey,
} from './withdrawals.queries.ts'
import { withdrawals } from './withdrawals.tables.ts'

export type WithdrawalChanges = Partial<
  Pick<Withdrawal, 'statusReason' | 'approvedBy' | 'approvedAt' | 'completedAt' | 'endToEndId'>
>

const anyOf = (keys: readonly WithdrawalKey[]): SQL => sql`
  (${withdrawals.sellerId}, ${withdrawals.id}) in (
    select * from unnest(
      ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ id }) => id))}
    )
  )`

// How long a payout is left alone after a question about it: longer the longer it has been out, up to 15 minutes.
const isDue = (now: Date): SQL => sql`
  ${withdrawals.lastAttemptAt} + greatest(
    interval '30 seconds',
    least(interval '15 minutes', (${withdrawals.lastAttemptAt} - ${withdrawals.sentAt}) / 2)
  ) <= ${now.toISOString()}::timestamptz`

const lockUnanswered = (db: Writer, limit: number, now: Date) =>
  db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.status, 'processing'), isDue(now)))
    .orderBy(asc(withdrawals.lastAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })

export const createWithdrawalsRepository = (db: Writer) => ({
  ...createWithdrawalsQueries(db),

  /**
   * Takes approved withdrawals, oldest first, and marks them as sent, so that nobody else sends them. A seller who is
   * being suspended or blocked right now is waited for by the next batch; one who owes the platform, until that is covered.
   */
  async claimApproved(provider: string, limit: number, now: Date): Promise<Withdrawal[]> {
    const { rows } = await db.execute<{ seller_id: string; id: string }>(sql`
      select ${withdrawals.sellerId}, ${withdrawals.id} from ${withdrawals}
      join ${users} on ${users.id} = ${withdrawals.sellerId}
      where ${withdrawals.status} = 'approved' and ${mayReceive} and not ${owes}
      order by ${withdrawals.id} limit ${limit}
      for update of withdrawals skip locked for share of users skip locked`)
    if (rows.length === 0) return []
    const keys = rows.map((row) => ({ sellerId: row.seller_id, id: row.id }))
    return moveWhere(db, withdrawals, withdrawalLifecycle, {
      from: 'approved',
      to: 'processing',
      changes: { provider, statusReason: null, sentAt: now, lastAttemptAt: now, updatedAt: now },
      where: anyOf(keys),
      follow: dailyTotals,
    })
  },

  /** Notes on approved withdrawals why they are not paid out. Answers how many are new. */
  async updateBlocked(now: Date): Promise<number> {
    const { rowCount } = await db
      .update(withdrawals)
      .set({ statusReason: blockedBy, updatedAt: now })
      .from(users)
      .where(
        and(
          eq(withdrawals.status, 'approved'),
          eq(users.id, withdrawals.sellerId),
          sql`${blockedBy} is not null and ${withdrawals.statusReason} is distinct from ${blockedBy}`,
        ),
      )
    return rowCount ?? 0
  },

  /** Takes payouts without an outcome that it is time to ask about, so that nobody else asks at the same time. */
  async claimUnanswered(limit: number, now: Date): Promise<Withdrawal[]> {
    const due = lockUnanswered(db, limit, now)
    return db
      .update(withdrawals)
      .set({ lastAttemptAt: now })
      .where(and(eq(withdrawals.status, 'processing'), inArray(withdrawals.id, sql`(${due})`)))
      .returning()
  },

  async insert(withdrawal: Withdrawal): Promise<void> {
    await insertMany(db, withdrawals, [withdrawal], { follow: dailyTotals })
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
    const [row] = await moveWhere(db, withdrawals, withdrawalLifecycle, {
      from: withdrawal.status,
      to,
      changes: { ...changes, updatedAt: now },
      where: only(withdrawal),
      follow: dailyTotals,
    })
    return row
  },

  /** Files what the bank calls a payout where the first message about it did not say. */
  async updateEndToEndId(key: WithdrawalKey, endToEndId: string, now: Date): Promise<void> {
    await db.update(withdrawals).set({ endToEndId, updatedAt: now }).where(only(key))
  },
})
