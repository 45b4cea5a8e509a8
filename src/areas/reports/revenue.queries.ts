import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import {
  FEE_NAMES,
  feeSums,
  isRevenue,
  ofSeller,
  REVENUE_KIND,
  revenueLegs,
  type Sums,
  toAmounts,
  within,
} from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'
import { OTHER, REVENUE_GROUPS_MAX } from './revenue.groups.ts'

/**
 * Volume and fees of one group. The key is a seller's id, a payment method, or the place in the list of starts (from
 * 1, as text) of a part of the period; OTHER for fees that belong to no payment, and for the smallest sellers.
 */
export type RevenueRow = { key: string; paidCount: number; grossVolumeAmount: Centavos; fees: FeeTotals }

/** How the rows are grouped: by the parts of the period that begin at these instants, by seller or by method. */
export type RevenueGrouping = { by: 'part'; starts: readonly Date[] } | { by: 'seller' } | { by: 'method' }

const partOf = (instant: SQL, starts: readonly Date[]): SQL =>
  sql`width_bucket(${instant}, ${sql.param(starts.map((start) => start.toISOString()))}::timestamptz[])::text`

// The fees of payments, refunds and disputes belong to the method of their payment, those of withdrawals to none.
const methodJoins = sql`
  join ledger_transfers as origin on origin.seller_id = posting.seller_id and origin.id = posting.transfer_id
  left join refunds as refund on refund.seller_id = posting.seller_id and refund.id = origin.reference_id
  left join disputes as dispute on dispute.seller_id = posting.seller_id and dispute.id = origin.reference_id
  left join payments as payment on payment.seller_id = posting.seller_id
    and payment.id = coalesce(refund.payment_id, dispute.payment_id, origin.reference_id)`

// What payments and fees are grouped by, and what it takes to know it of a fee.
const keysOf = (grouping: RevenueGrouping): { payment: SQL; fee: SQL; joins: SQL } => {
  if (grouping.by === 'part') {
    const of = (instant: SQL) => partOf(instant, grouping.starts)
    return { payment: of(sql`payment.paid_at`), fee: of(sql`posting.created_at`), joins: sql`` }
  }
  if (grouping.by === 'seller') {
    return { payment: sql`payment.seller_id::text`, fee: sql`posting.seller_id::text`, joins: sql`` }
  }
  return { payment: sql`payment.method`, fee: sql`coalesce(payment.method, ${OTHER})`, joins: methodJoins }
}

const feeColumns = sql.join(
  FEE_NAMES.map((name) => sql.identifier(name)),
  sql`, `,
)

type Raw = Sums<FeeTotals> & { key: string; paidCount: string; grossVolumeAmount: string }

export const createRevenueQueries = (db: Executor) => ({
  /**
   * Volume, from the payments by when they were paid, and revenue, from the ledger by when it was posted: one
   * statement, so that all groups are of one moment. The largest groups first, at most REVENUE_GROUPS_MAX and OTHER.
   */
  async listRevenue(scope: ReportScope, grouping: RevenueGrouping): Promise<RevenueRow[]> {
    const { payment, fee, joins } = keysOf(grouping)
    const { rows } = await db.execute<Raw>(sql`
      with volume as (
        select ${payment} as key, count(*) as paid_count, sum(payment.paid_amount) as gross
        from payments as payment
        where ${within(sql`payment.paid_at`, scope)} and ${ofSeller(sql`payment.seller_id`, scope)}
        group by 1
      ), fees as (
        select ${fee} as key, ${REVENUE_KIND} as kind, posting.account, sum(posting.amount) as amount
        from ${revenueLegs(scope)} ${joins}
        where ${isRevenue(scope)} and ${ofSeller(sql`posting.seller_id`, scope)}
        group by 1, 2, 3
      ), keys as (
        select key, case when row_number() over (order by sum(gross) desc, key) > ${REVENUE_GROUPS_MAX}
          then ${OTHER} else key end as shown
        from (select key, gross from volume union all select key, 0 from fees) as seen
        group by key
      ), shown_volume as (
        select shown as key, sum(paid_count)::bigint as paid_count, sum(gross)::bigint as gross
        from volume join keys using (key) group by shown
      ), shown_fees as (
        select shown as key, ${feeSums} from fees join keys using (key) group by shown
      )
      select key, coalesce(paid_count, 0) as "paidCount", coalesce(gross, 0) as "grossVolumeAmount", ${feeColumns}
      from shown_volume full join shown_fees using (key)
      order by 3 desc, key`)
    return rows.map((row) => ({
      key: row.key,
      paidCount: Number(row.paidCount),
      grossVolumeAmount: centavos(Number(row.grossVolumeAmount)),
      fees: toAmounts<FeeTotals>(row, FEE_NAMES),
    }))
  },
})
