import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { ALL_SELLERS } from './figures.tables.ts'

/** A sum that is not what counting the rows gives. */
export type FigureFinding = { sellerId: string; subject: string; day: string; dimensions: string[]; detail: string }

const NOTHING = sql.raw('(0, 0, 0, 0)')

const SUMS = sql.raw(`sum(rows_count)::bigint as rows_count, sum(amount)::bigint as amount,
  sum(fee_amount)::bigint as fee_amount, sum(net_amount)::bigint as net_amount`)

/** Each day's row stands for itself and in its month, for its seller and for all. */
const levelsOf = (days: SQL): SQL => sql`
  select owner.seller_id, subject, dimensions, level.span, level.starts_on, ${SUMS}
  from (${days}) as days
  cross join lateral unnest(case when days.seller_id = ${ALL_SELLERS} then array[days.seller_id]
    else array[days.seller_id, ${ALL_SELLERS}] end) as owner (seller_id)
  cross join lateral (values ('day', day), ('month', date_trunc('month', day)::date)) as level (span, starts_on)
  group by 1, 2, 3, 4, 5`

const DAYS = sql`
  select starts_on as day, * from figures
  where span = 'day' and (seller_id <> ${ALL_SELLERS} or subject = 'provider_event')`

const insertInto = (levels: SQL): SQL => sql`
  insert into figures (seller_id, subject, dimensions, span, starts_on, rows_count, amount, fee_amount, net_amount)
  ${levels}`

const createRepairs = (db: Executor) => ({
  /** What differs from counting the rows, at most `limit`; empty: every sum is right. Reads everything. */
  async listDifferences(limit: number): Promise<FigureFinding[]> {
    const { rows } = await db.execute<FigureFinding>(sql`
      select seller_id as "sellerId", subject, day::text, dimensions,
        'rows ' || rows_count || ', amounts ' || amount || ' ' || fee_amount || ' ' || net_amount as detail
      from figure_differences limit ${limit}`)
    return rows
  },

  /** Sums of months, of all sellers and for reports that are not those of their days, at most `limit`. */
  async listBrokenLevels(limit: number): Promise<FigureFinding[]> {
    const { rows } = await db.execute<FigureFinding>(sql`
      select seller_id as "sellerId", subject, starts_on::text as day, dimensions, span || ' does not sum its days' as detail
      from (
        ${levelsOf(DAYS)}
        union all
        select seller_id, subject, dimensions, span, starts_on, -rows_count, -amount, -fee_amount, -net_amount from figures
      ) as both_ways
      group by seller_id, subject, dimensions, span, starts_on
      having (sum(rows_count), sum(amount), sum(fee_amount), sum(net_amount)) <> ${NOTHING}
      union all
      select seller_id, 'seller_sums', starts_on::text, '{}', span || ' does not sum its figures' from seller_sum_differences
      limit ${limit}`)
    return rows
  },

  /**
   * Adds what is missing and takes off what is too much, as changes: writers go on meanwhile, since what they change is
   * not in the snapshot that is compared. Answers how many sums were wrong.
   */
  async insertDifferences(): Promise<number> {
    const { rowCount } = await db.execute(sql`
      insert into figure_changes (seller_id, subject, dimensions, day, rows_count, amount, fee_amount, net_amount)
      select seller_id, subject, dimensions, day, rows_count, amount, fee_amount, net_amount from figure_differences`)
    return rowCount ?? 0
  },

  /** Makes the sums of months, of all sellers and for reports anew from the days. Only folding waits for it. */
  async replaceLevels(): Promise<void> {
    await db.execute(sql`lock table figures in exclusive mode`)
    await db.execute(sql`create temporary table figure_days on commit drop as ${DAYS}`)
    await db.execute(sql`delete from figures`)
    // Its triggers have taken off what was summed from those: what is left was wrong.
    await db.execute(sql`delete from seller_sums`)
    await db.execute(insertInto(levelsOf(sql`select * from figure_days`)))
  },
})

export const createFiguresRepository = (db: Executor) => ({
  ...createRepairs(db),

  /** Adds some changes to the sums that they belong to. Readers see them before or after, never twice. Answers how many. */
  async foldChanges(limit: number): Promise<number> {
    const { rows } = await db.execute<{ folded: string }>(sql`
      with folded as (
        delete from figure_changes where ctid = any(array(
          select ctid from figure_changes limit ${limit} for update skip locked
        )) returning *
      ), written as (
        ${insertInto(sql`${levelsOf(sql`select * from folded`)} order by 1, 2, 3, 4, 5`)}
        on conflict (seller_id, subject, span, starts_on, dimensions) do update set
          rows_count = figures.rows_count + excluded.rows_count, amount = figures.amount + excluded.amount,
          fee_amount = figures.fee_amount + excluded.fee_amount, net_amount = figures.net_amount + excluded.net_amount
      )
      select count(*) as folded from folded`)
    return Number(rows[0]?.folded ?? 0)
  },
})
