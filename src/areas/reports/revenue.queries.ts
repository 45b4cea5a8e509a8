import { type SQL, sql } from 'drizzle-orm'
import { totalRows } from '../../daily-totals/daily-totals.queries.ts'
import { REVENUE_COLUMNS, type RevenueColumn, revenueRows } from '../../daily-totals/revenue.queries.ts'
import type { Reader } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import type { ReportScope } from './payment-totals.queries.ts'
import { OTHER, REVENUE_GROUPS_MAX } from './revenue.groups.ts'

/** Money that left a seller's book, net of what came back into it in the same period. */
export type MovementTotals = {
  /** Returned to payers by refunds; those that failed are taken off when they fail. */
  refundsAmount: Centavos
  /** Returned to payers by lost disputes; what was won after all is taken off when it is. */
  lostDisputesAmount: Centavos
  /** What reached banks: without the fees of withdrawals, less what banks sent back. */
  withdrawnAmount: Centavos
  /** The same with the fees. */
  withdrawalsAmount: Centavos
}

/** Volume and fees. */
export type VolumeTotals = { paidCount: number; grossVolumeAmount: Centavos; fees: FeeTotals }

/**
 * Volume and fees of one group. The key is a São Paulo date, a month, a seller's id, a payment method, a provider, or OTHER: for
 * fees that belong to no payment, what is of no provider, and the smallest sellers.
 */
export type RevenueRow = VolumeTotals & { key: string }

export type RevenueGrouping = 'total' | 'day' | 'month' | 'seller' | 'method' | 'provider'

/** Sums as Postgres sends them. */
export type RawRevenue = Record<RevenueColumn, string>

const NAMES = Object.keys(REVENUE_COLUMNS) as RevenueColumn[]

/** Every sum of revenue rows, under its name in the reports. */
export const REVENUE_SUMS: SQL = sql.raw(
  NAMES.map((name) => `coalesce(sum(${REVENUE_COLUMNS[name]}), 0)::bigint as "${name}"`).join(', '),
)

const amounts = <Name extends RevenueColumn>(raw: RawRevenue, names: readonly Name[]): Record<Name, Centavos> =>
  Object.fromEntries(names.map((name) => [name, centavos(Number(raw[name]))])) as Record<Name, Centavos>

export const volumeOf = (raw: RawRevenue): VolumeTotals => ({
  paidCount: Number(raw.paidCount),
  grossVolumeAmount: centavos(Number(raw.grossVolumeAmount)),
  fees: amounts(raw, [
    'paymentFeesAmount',
    'withdrawalFeesAmount',
    'disputeFeesAmount',
    'refundedFeesAmount',
    'providerCostAmount',
    'lossesAmount',
  ]),
})

export const movementsOf = (raw: RawRevenue): MovementTotals =>
  amounts(raw, ['refundsAmount', 'lostDisputesAmount', 'withdrawnAmount', 'withdrawalsAmount'])

const KEYS: Readonly<Record<Exclude<RevenueGrouping, 'seller' | 'provider'>, SQL>> = {
  total: sql`'total'`,
  day: sql`day::text`,
  month: sql`to_char(day, 'YYYY-MM')`,
  method: sql`coalesce(nullif(method, ''), ${OTHER})`,
}

const byKey = (scope: ReportScope, grouping: keyof typeof KEYS): SQL => sql`
  select ${KEYS[grouping]} as key, ${REVENUE_SUMS}
  from ${revenueRows(scope, { months: grouping !== 'day' })} as revenue
  group by 1 order by "grossVolumeAmount" desc, key`

/** A subquery of what each seller did in a period: `seller_id` and REVENUE_SUMS. */
export const sellerRevenue = (scope: ReportScope): SQL => sql`(
  select seller_id, ${REVENUE_SUMS} from ${revenueRows(scope, { eachSeller: true })} as revenue group by seller_id
)`

const SUMMED_AGAIN = sql.raw(NAMES.map((name) => `sum("${name}")::bigint as "${name}"`).join(', '))

// The largest sellers first; those beyond REVENUE_GROUPS_MAX are one group.
const bySeller = (scope: ReportScope): SQL => sql`
  select key, ${SUMMED_AGAIN}
  from (
    select *, case when row_number() over (order by "grossVolumeAmount" desc, seller_id) > ${REVENUE_GROUPS_MAX}
      then ${OTHER} else seller_id::text end as key
    from ${sellerRevenue(scope)} as seller where "paidCount" <> 0 or "feesCount" <> 0
  ) as ranked
  group by key order by "grossVolumeAmount" desc, key`

const NOTHING_MORE = sql.raw(
  NAMES.slice(2)
    .map(() => '0::bigint')
    .join(', '),
)

// Volume is the payments', which say who was paid through; fees and costs are known by the totals of their postings.
const byProvider = ({ from, to, sellerId }: ReportScope): SQL => sql`
  select key, ${REVENUE_SUMS}
  from (
    select coalesce(total.type, ${OTHER}) as key, ${sql.raw(Object.values(REVENUE_COLUMNS).join(', '))}
    from ${totalRows('posting', { from, to, sellerId })} as total cross join lateral revenue_of(total) as revenue
    where total.account in ('fee_revenue', 'provider_cost', 'losses')
    union all
    select provider, count(*), sum(paid_amount), ${NOTHING_MORE}
    from payments
    where paid_at >= ${from.toISOString()}::timestamptz and paid_at < ${to.toISOString()}::timestamptz
      and ${sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`}
    group by provider
  ) as revenue
  group by key order by "grossVolumeAmount" desc, key`

const queryOf = (scope: ReportScope, grouping: RevenueGrouping): SQL => {
  if (grouping === 'seller') return bySeller(scope)
  return grouping === 'provider' ? byProvider(scope) : byKey(scope, grouping)
}

export const createRevenueQueries = (db: Reader) => ({
  /**
   * Volume, from the payments by when they were paid, and revenue, from the ledger by when it was posted: one
   * statement, so that all groups are of one moment. The largest groups first, at most REVENUE_GROUPS_MAX and OTHER.
   */
  async listRevenue(scope: ReportScope, grouping: RevenueGrouping): Promise<RevenueRow[]> {
    const query = queryOf(scope, grouping)
    const { rows } = await db.execute<RawRevenue & { key: string }>(query)
    return rows.map((row) => ({ key: row.key, ...volumeOf(row) }))
  },

  async sumMovements(scope: ReportScope): Promise<MovementTotals> {
    const { rows } = await db.execute<RawRevenue>(sql`select ${REVENUE_SUMS} from ${revenueRows(scope)} as revenue`)
    const [row] = rows
    if (row === undefined) throw new Error('a sum without a row')
    return movementsOf(row)
  },
})
