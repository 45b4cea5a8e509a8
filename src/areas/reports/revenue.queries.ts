import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import { figureRows } from '../../figures/figures.queries.ts'
import { FEE_NAMES, feeSums, IS_FEE, ledgerLegs, type Sums, toAmounts } from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'
import { OTHER, REVENUE_GROUPS_MAX } from './revenue.groups.ts'

/**
 * Volume and fees of one group. The key is a São Paulo date, a month, a seller's id, a payment method, or OTHER: for fees
 * that belong to no payment, and for the smallest sellers.
 */
export type RevenueRow = { key: string; paidCount: number; grossVolumeAmount: Centavos; fees: FeeTotals }

export type RevenueGrouping = 'total' | 'day' | 'month' | 'seller' | 'method'

// What payments and fees are grouped by.
const KEYS: Readonly<Record<RevenueGrouping, { payment: SQL; fee: SQL }>> = {
  total: { payment: sql`'total'`, fee: sql`'total'` },
  day: { payment: sql`day::text`, fee: sql`day::text` },
  month: { payment: sql`to_char(day, 'YYYY-MM')`, fee: sql`to_char(day, 'YYYY-MM')` },
  seller: { payment: sql`seller_id::text`, fee: sql`seller_id::text` },
  method: { payment: sql`dimensions[1]`, fee: sql`coalesce(nullif(method, ''), ${OTHER})` },
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
    const { payment, fee } = KEYS[grouping]
    const detail = { months: grouping !== 'day', perSeller: grouping === 'seller' }
    const { rows } = await db.execute<Raw>(sql`
      with volume as (
        select ${payment} as key, sum(rows_count) as paid_count, sum(amount) as gross
        from ${figureRows({ subject: 'payment_paid', ...scope }, detail)} as figure
        group by 1 having sum(rows_count) <> 0
      ), fees as (
        select ${fee} as key, kind, account, sum(amount) as amount
        from ${ledgerLegs(scope, detail)} as legs where ${IS_FEE}
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
