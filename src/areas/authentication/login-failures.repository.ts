import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { loginFailures } from './authentication.tables.ts'

/** How many failures make a guesser wait, for how long at first, and at most: each further failure doubles it. */
const FREE_FAILURES = 10
const FIRST_WAIT_SECONDS = 15 * 60
const LONGEST_WAIT_SECONDS = 24 * 3_600
const DOUBLINGS_MAX = Math.ceil(Math.log2(LONGEST_WAIT_SECONDS / FIRST_WAIT_SECONDS))
/** How long after the last failure all of them are forgotten: longer than any wait, or waiting would wipe them. */
export const FAILURES_FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000

const { emailHash, lockedUntil, windowStartedAt } = loginFailures

export const createLoginFailuresQueries = (db: Reader) => ({
  /** Until when a guesser has to wait, if they have to. */
  async findWait(key: string, now: Date): Promise<Date | undefined> {
    const [found] = await db
      .select({ lockedUntil })
      .from(loginFailures)
      .where(and(eq(emailHash, key), gt(lockedUntil, now)))
    return found?.lockedUntil ?? undefined
  },
})

export const createLoginFailuresRepository = (db: Writer) => ({
  ...createLoginFailuresQueries(db),

  /**
   * Counts a failure in one statement, so that attempts at the same moment each count, and lets the guesser wait from the
   * tenth on. Answers until when, for a failure that was under way when the wait began: that one is not counted.
   */
  async add(key: string, now: Date): Promise<Date | undefined> {
    const at = sql`${now.toISOString()}::timestamptz`
    const forgetting = sql`${new Date(now.getTime() - FAILURES_FORGOTTEN_AFTER_MS).toISOString()}::timestamptz`
    const { rows } = await db.execute<{ until: string | null }>(sql`
      insert into ${loginFailures} as known (email_hash, failures, window_started_at)
      values (${key}, 1, ${at})
      on conflict (email_hash) do update set (failures, window_started_at, locked_until) = (
        select counted.failures, ${at}, case when counted.failures >= ${FREE_FAILURES} then
          ${at} + make_interval(secs => least(${LONGEST_WAIT_SECONDS},
            ${FIRST_WAIT_SECONDS} * 2 ^ least(${DOUBLINGS_MAX}, counted.failures - ${FREE_FAILURES}))) end
        from (select case when known.window_started_at <= ${forgetting} then 1 else known.failures + 1 end) as counted (failures)
      )
      where known.locked_until is null or known.locked_until <= ${at}
      returning null as until`)
    return rows.length === 1 ? undefined : this.findWait(key, now)
  },

  /** Forgets the failures of a guesser who need not wait, after a success. */
  async clear(key: string, now: Date): Promise<void> {
    const isOpen = or(isNull(lockedUntil), lte(lockedUntil, now))
    await db.delete(loginFailures).where(and(eq(emailHash, key), isOpen))
  },

  /** Forgets the failures of every guesser whose key begins like this. */
  async deleteAllOf(prefix: string): Promise<void> {
    await db.delete(loginFailures).where(sql`starts_with(${emailHash}, ${prefix})`)
  },

  /** Forgets failures that no longer count: whose last one was before an instant. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ emailHash })
      .from(loginFailures)
      .where(and(lte(windowStartedAt, instant), or(isNull(lockedUntil), lte(lockedUntil, instant))))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(loginFailures).where(inArray(emailHash, sql`(${old})`))
    return rowCount ?? 0
  },
})
