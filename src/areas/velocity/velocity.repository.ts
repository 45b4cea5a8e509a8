import { eq, inArray, lte, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { VelocityRule } from '../../domain/velocity.ts'
import { velocityCounters, velocityRules } from './velocity.tables.ts'

export type VelocityRuleRow = typeof velocityRules.$inferSelect
export type Counted = { key: string; rule: VelocityRule }

// Doubled more often than that, every wait is the longest.
const DOUBLINGS_MAX = 20

export const createVelocityQueries = (db: Reader) => ({
  async listRules(): Promise<VelocityRuleRow[]> {
    return db.select().from(velocityRules)
  },
})

export const createVelocityRepository = (db: Writer) => ({
  ...createVelocityQueries(db),

  async putRule(rule: VelocityRuleRow): Promise<void> {
    const { id: _id, ...set } = rule
    await db.insert(velocityRules).values(rule).onConflictDoUpdate({ target: velocityRules.subject, set })
  },

  /**
   * Notes that a request, named by a key, tries a card. Answers false where it was noted after `since` already. Of several
   * at the same moment the others wait until the transaction of the first ends.
   */
  async note(key: string, { now, since }: { now: Date; since: Date }): Promise<boolean> {
    const { rows } = await db.execute(sql`
      insert into ${velocityCounters} as known (key, failures, window_started_at)
      values (${key}, 0, ${now.toISOString()}::timestamptz)
      on conflict (key) do update set window_started_at = excluded.window_started_at
      where known.window_started_at <= ${since.toISOString()}::timestamptz
      returning key`)
    return rows.length === 1
  },

  /** Forgets that a request was noted. */
  async forget(key: string): Promise<void> {
    await db.delete(velocityCounters).where(eq(velocityCounters.key, key))
  },

  /**
   * Counts a card that may be declined, before anybody knows, so that many at the same moment each count. Answers until
   * when there is to wait: then nothing was counted.
   */
  async add({ key, rule }: Counted, now: Date): Promise<Date | undefined> {
    const at = sql`${now.toISOString()}::timestamptz`
    const isOver = sql`known.window_started_at <= ${at} - make_interval(mins => ${rule.withinMinutes})`
    const { rows } = await db.execute(sql`
      insert into ${velocityCounters} as known (key, failures, window_started_at) values (${key}, 1, ${at})
      on conflict (key) do update set (failures, window_started_at, waits_until) = (
        select counted.failures, counted.started_at, case when counted.failures >= ${rule.failuresMax} then
          ${at} + make_interval(mins => least(${rule.longestWaitMinutes},
            ${rule.firstWaitMinutes} * 2 ^ least(${DOUBLINGS_MAX}, counted.failures - ${rule.failuresMax}))::integer) end
        from (select case when ${isOver} then 1 else known.failures + 1 end,
          case when ${isOver} then ${at} else known.window_started_at end) as counted (failures, started_at)
      )
      where known.waits_until is null or known.waits_until <= ${at}
      returning key`)
    if (rows.length === 1) return undefined
    const [waiting] = await db
      .select()
      .from(velocityCounters)
      .where(inArray(velocityCounters.key, [key]))
    return waiting?.waitsUntil ?? undefined
  },

  /** Takes one back that was counted and not declined. */
  async takeBack({ key, rule }: Counted): Promise<void> {
    await db.execute(sql`
      update ${velocityCounters} set failures = greatest(failures - 1, 0),
        waits_until = case when failures - 1 >= ${rule.failuresMax} then waits_until end
      where key = ${key}`)
  },

  /** Forgets counters whose time began before an instant. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ key: velocityCounters.key })
      .from(velocityCounters)
      .where(lte(velocityCounters.windowStartedAt, instant))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(velocityCounters).where(inArray(velocityCounters.key, sql`(${old})`))
    return rowCount ?? 0
  },
})
