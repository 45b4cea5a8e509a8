import { type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { wholeRows } from './daily-totals.queries.ts'
import { ALL_SELLERS } from './daily-totals.tables.ts'
import { REVENUE_COLUMNS } from './revenue.queries.ts'

/** A total that is not what counting the rows gives. */
export type TotalFinding = { sellerId: string; subject: string; day: string; detail: string }

/** Every table that is counted: each has a function `daily_totals_of` in `sql/`. */
export const COUNTED_TABLES = [
  'payments',
  'ledger_postings',
  'payment_settlements',
  'reserve_holds',
  'disputes',
  'withdrawals',
  'customers',
  'events',
  'webhook_deliveries',
  'provider_events',
] as const

const DIMENSION_NAMES = ['method', 'status', 'account', 'kind', 'direction', 'type', 'webhook_id']
const MEASURE_NAMES = ['rows_count', 'amount', 'fee_amount', 'net_amount']
const REVENUE_NAMES = Object.values(REVENUE_COLUMNS)

const list = (names: readonly string[], of: (name: string) => string = (name) => name): SQL =>
  sql.raw(names.map(of).join(', '))

const summed = (name: string): string => `coalesce(sum(${name}), 0)::bigint as ${name}`
const negated = (name: string): string => `-${name} as ${name}`
const added =
  (table: string) =>
  (name: string): string =>
    `${name} = ${table}.${name} + excluded.${name}`

const DIMENSIONS = list(DIMENSION_NAMES)
const MEASURES = list(MEASURE_NAMES)
const REVENUE = list(REVENUE_NAMES)

// What is of one day is of its month, too, and what is of one seller is of all.
const levels = (days: string): SQL => sql`
  cross join lateral unnest(case when ${sql.raw(days)}.seller_id = ${ALL_SELLERS} then array[${sql.raw(days)}.seller_id]
    else array[${sql.raw(days)}.seller_id, ${ALL_SELLERS}] end) as owner (seller_id)
  cross join lateral (values ('day', ${sql.raw(days)}.day), ('month', date_trunc('month', ${sql.raw(days)}.day)::date))
    as level (span, starts_on)`

/** The rows of `daily_totals` that some changes come to. */
const totalsFrom = (changes: SQL): SQL => sql`
  select owner.seller_id, change.subject, level.span, level.starts_on, ${DIMENSIONS}, ${list(MEASURE_NAMES, summed)}
  from (${changes}) as change ${levels('change')}
  group by 1, 2, 3, 4, ${DIMENSIONS}`

/** The rows of `daily_revenue` that some changes come to. */
const revenueFrom = (changes: SQL): SQL => sql`
  select owner.seller_id, level.span, level.starts_on, revenue.method, ${list(REVENUE_NAMES, summed)}
  from (${changes}) as change cross join lateral revenue_of(change) as revenue ${levels('change')}
  group by 1, 2, 3, revenue.method`

const insertTotals = (rows: SQL): SQL => sql`
  insert into daily_totals (seller_id, subject, span, starts_on, ${DIMENSIONS}, ${MEASURES}) ${rows}`

const insertRevenue = (rows: SQL): SQL => sql`
  insert into daily_revenue (seller_id, span, starts_on, method, ${REVENUE}) ${rows}`

/** The totals of single days and sellers, in the shape of changes: everything else sums them. */
const DAYS = sql`
  select seller_id, subject, starts_on as day, ${DIMENSIONS}, ${MEASURES} from daily_totals
  where span = 'day' and (seller_id <> ${ALL_SELLERS} or subject = 'provider_event')`

const counted = sql.join(
  COUNTED_TABLES.map(
    (name) => sql`
      select total.* from ${wholeRows(name)} as counted cross join lateral daily_totals_of(counted.whole) as total`,
  ),
  sql` union all `,
)

/** What the totals lack, or have too much, compared with counting the rows. */
const DIFFERENCES = sql`
  select seller_id, subject, day, ${DIMENSIONS}, ${list(MEASURE_NAMES, summed)} from (
    ${counted}
    union all
    select seller_id, subject, day, ${DIMENSIONS}, ${list(MEASURE_NAMES, negated)} from (${DAYS}) as days
    union all
    select seller_id, subject, day, ${DIMENSIONS}, ${list(MEASURE_NAMES, negated)} from daily_total_changes
  ) as both_ways
  group by seller_id, subject, day, ${DIMENSIONS}
  having (${list(MEASURE_NAMES, (name) => `sum(${name})`)}) <> (0, 0, 0, 0)`

export const createDailyTotalsQueries = (db: Reader) => ({
  /** What differs from counting the rows, at most `limit`; empty: every total is right. Reads everything. */
  async listDifferences(limit: number): Promise<TotalFinding[]> {
    const { rows } = await db.execute<TotalFinding>(sql`
      select seller_id as "sellerId", subject, day::text,
        concat_ws(' ', ${DIMENSIONS}) || ': rows ' || rows_count || ', amounts ' || amount || ' ' || fee_amount || ' ' || net_amount as detail
      from (${DIFFERENCES}) as difference limit ${limit}`)
    return rows
  },

  /** Totals of months, of all sellers and of revenue that are not those of their days, at most `limit`. */
  async listBrokenSums(limit: number): Promise<TotalFinding[]> {
    const { rows } = await db.execute<TotalFinding>(sql`
      select seller_id as "sellerId", subject, starts_on::text as day, span || ' does not sum its days' as detail
      from (
        ${totalsFrom(DAYS)}
        union all
        select seller_id, subject, span, starts_on, ${DIMENSIONS}, ${list(MEASURE_NAMES, negated)} from daily_totals
      ) as both_ways
      group by seller_id, subject, span, starts_on, ${DIMENSIONS}
      having (${list(MEASURE_NAMES, (name) => `sum(${name})`)}) <> (0, 0, 0, 0)
      union all
      select seller_id, 'revenue', starts_on::text, span || ' does not sum its daily totals'
      from (
        ${revenueFrom(DAYS)}
        union all
        select seller_id, span, starts_on, method, ${list(REVENUE_NAMES, negated)} from daily_revenue
      ) as both_ways
      group by seller_id, span, starts_on, method
      having ${sql.raw(REVENUE_NAMES.map((name) => `sum(${name}) <> 0`).join(' or '))}
      limit ${limit}`)
    return rows
  },
})

export const createDailyTotalsRepository = (db: Writer) => ({
  ...createDailyTotalsQueries(db),

  /**
   * Adds what is missing and takes off what is too much, as changes: writers go on meanwhile, since what they change is
   * not in the snapshot that is compared. Answers how many totals were wrong.
   */
  async insertDifferences(): Promise<number> {
    const { rowCount } = await db.execute(sql`
      insert into daily_total_changes (seller_id, subject, day, ${DIMENSIONS}, ${MEASURES}) ${DIFFERENCES}`)
    return rowCount ?? 0
  },

  /** Makes the totals of months, of all sellers and of revenue anew from those of days. Only rolling up waits for it. */
  async replaceSums(): Promise<void> {
    await db.execute(sql`lock table daily_totals in exclusive mode`)
    await db.execute(sql`create temporary table counted_days on commit drop as ${DAYS}`)
    await db.execute(sql`delete from daily_totals`)
    await db.execute(sql`delete from daily_revenue`)
    await db.execute(insertTotals(totalsFrom(sql`select * from counted_days`)))
    await db.execute(insertRevenue(revenueFrom(sql`select * from counted_days`)))
  },

  /**
   * Adds all changes of some sellers, who have about `limit` of them, to the totals that they belong to. Readers see them
   * before or after, never twice. Answers how many.
   */
  async rollUp(limit: number): Promise<number> {
    const { rows } = await db.execute<{ rolled: string }>(sql`
      with rolled as (
        delete from daily_total_changes where seller_id in (
          select seller_id from (select seller_id from daily_total_changes limit ${limit}) as few
        ) returning *
      ), totals as (
        ${insertTotals(sql`${totalsFrom(sql`select * from rolled`)} order by 1, 2, 3, 4, ${DIMENSIONS}`)}
        on conflict on constraint daily_totals_uq do update set ${list(MEASURE_NAMES, added('daily_totals'))}
      ), revenue as (
        ${insertRevenue(sql`${revenueFrom(sql`select * from rolled`)} order by 1, 2, 3, 4`)}
        on conflict on constraint daily_revenue_pk do update set ${list(REVENUE_NAMES, added('daily_revenue'))}
      )
      select count(*) as rolled from rolled`)
    return Number(rows[0]?.rolled ?? 0)
  },
})
