import { type SQL, sql } from 'drizzle-orm'
import { changesOf, rowsOf, type TotalScope } from './daily-totals.queries.ts'
import { ALL_SELLERS } from './daily-totals.tables.ts'
import { type Bounds, cutPeriod } from './total-period.ts'

/** The sums of the revenue reports, by the names of their columns. What they are is said in `sql/revenue.sql`. */
export const REVENUE_COLUMNS = {
  paidCount: 'paid_count',
  grossVolumeAmount: 'gross_volume_amount',
  paymentFeesAmount: 'payment_fees_amount',
  withdrawalFeesAmount: 'withdrawal_fees_amount',
  disputeFeesAmount: 'dispute_fees_amount',
  refundedFeesAmount: 'refunded_fees_amount',
  providerCostAmount: 'provider_cost_amount',
  refundsAmount: 'refunds_amount',
  lostDisputesAmount: 'lost_disputes_amount',
  withdrawnAmount: 'withdrawn_amount',
  withdrawalsAmount: 'withdrawals_amount',
  feesCount: 'fees_count',
  movementsCount: 'movements_count',
  lossesAmount: 'losses_amount',
} as const

export type RevenueColumn = keyof typeof REVENUE_COLUMNS

const COLUMNS = sql.raw(Object.values(REVENUE_COLUMNS).join(', '))

const within = ({ from, to }: Bounds<string>): SQL =>
  sql`${from === undefined ? sql`true` : sql`starts_on >= ${from}::date`}
    and ${to === undefined ? sql`true` : sql`starts_on < ${to}::date`}`

// Of all sellers either the sums of all, or each seller's own.
const ownersOf = (sellerId: TotalScope['sellerId'], eachSeller: boolean): SQL => {
  if (eachSeller && sellerId === undefined) return sql`seller_id <> ${ALL_SELLERS}`
  return sql`seller_id = ${sellerId ?? ALL_SELLERS}`
}

/**
 * A subquery of what sellers were paid and the platform earned by it: rows with `seller_id`, `day` (of a whole month the
 * first), `method` (empty: of no payment) and REVENUE_COLUMNS, to be summed. Exact to the moment, as `totalRows` is.
 * `months: false` leaves every row in its day. `eachSeller` tells sellers apart.
 */
export const revenueRows = (
  scope: TotalScope,
  { months: byMonth = true, eachSeller = false }: { months?: boolean; eachSeller?: boolean } = {},
): SQL => {
  const { sellerId } = scope
  const { whole, months, days, edges } = cutPeriod(scope, { months: byMonth })
  const known = (span: 'day' | 'month', bounds: Bounds<string>): SQL => sql`
    select seller_id, starts_on as day, method, ${COLUMNS} from daily_revenue
    where ${ownersOf(sellerId, eachSeller)} and span = ${sql.raw(`'${span}'`)} and ${within(bounds)}`
  const fresh = (['payment_paid', 'posting'] as const).flatMap((subject) => [
    ...(whole ? [changesOf(subject, sellerId, whole)] : []),
    ...rowsOf(subject, scope, edges),
  ])
  const parts = [
    ...(months ? [known('month', months)] : []),
    ...days.map((bounds) => known('day', bounds)),
    ...fresh.map(
      (rows) => sql`select revenue.* from (${rows}) as total cross join lateral revenue_of(total) as revenue`,
    ),
  ]
  if (parts.length === 0)
    return sql`(select seller_id, starts_on as day, method, ${COLUMNS} from daily_revenue where false)`
  return sql`(${sql.join(parts, sql` union all `)})`
}
