import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { loginFailures } from './authentication.tables.ts'

/** How many failures lock an account, counted from the first one for this long, and for how long they lock it. */
export const LOGIN_FAILURES_MAX = 10
export const LOGIN_LOCK_MS = 15 * 60_000

const { failures, lockedUntil, windowStartedAt } = loginFailures

export const createLoginFailuresRepository = (db: Executor) => ({
  /** Until when an account is locked, if it is. */
  async findLock(emailHash: string, now: Date): Promise<Date | undefined> {
    const [found] = await db
      .select({ lockedUntil })
      .from(loginFailures)
      .where(and(eq(loginFailures.emailHash, emailHash), gt(lockedUntil, now)))
    return found?.lockedUntil ?? undefined
  },

  /** Counts a failure in one statement, so that attempts at the same moment each count. */
  async add(emailHash: string, now: Date): Promise<{ failures: number; lockedUntil: Date | null }> {
    const at = sql.param(now, windowStartedAt)
    const until = sql.param(new Date(now.getTime() + LOGIN_LOCK_MS), lockedUntil)
    const windowEnd = sql.param(new Date(now.getTime() - LOGIN_LOCK_MS), windowStartedAt)
    const isOver = sql`coalesce(${lockedUntil} <= ${at}, ${windowStartedAt} <= ${windowEnd})`
    const locks = sql`${failures} + 1 >= ${LOGIN_FAILURES_MAX}`
    const [counted] = await db
      .insert(loginFailures)
      .values({ emailHash, failures: 1, windowStartedAt: now, lockedUntil: null })
      .onConflictDoUpdate({
        target: loginFailures.emailHash,
        set: {
          failures: sql`case when ${isOver} then 1 else ${failures} + 1 end`,
          windowStartedAt: sql`case when ${isOver} then ${at} else ${windowStartedAt} end`,
          lockedUntil: sql`case when ${isOver} then null when ${locks} then coalesce(${lockedUntil}, ${until}) end`,
        },
      })
      .returning({ failures, lockedUntil })
    if (counted === undefined) throw new Error('an upsert answered no row')
    return counted
  },

  /** Forgets the failures of an account that is not locked, after a success. */
  async clear(emailHash: string, now: Date): Promise<void> {
    const isOpen = or(isNull(lockedUntil), lte(lockedUntil, now))
    await db.delete(loginFailures).where(and(eq(loginFailures.emailHash, emailHash), isOpen))
  },

  /** Forgets the failures of an account, and its lock. */
  async delete(emailHash: string): Promise<void> {
    await db.delete(loginFailures).where(eq(loginFailures.emailHash, emailHash))
  },

  /** Forgets failures that no longer count. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ emailHash: loginFailures.emailHash })
      .from(loginFailures)
      .where(and(lte(windowStartedAt, instant), or(isNull(lockedUntil), lte(lockedUntil, instant))))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(loginFailures).where(inArray(loginFailures.emailHash, sql`(${old})`))
    return rowCount ?? 0
  },
})
