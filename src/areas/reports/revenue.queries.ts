import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import { figureRows } from '../../figures/figures.queries.ts'
import { IS_FEE, sumFeesPart, sumFeesPartByMethod } from '../../ledger/posting-sums.queries.ts'
import { FEE_NAMES, feeSums, ledgerLegs, type Sums, toAmounts } from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'
import { OTHER, REVENUE_GROUPS_MAX } from './revenue.groups.ts'
import { HAS_REVENUE, sellerTotals } from './seller-totals.queries.ts'

/**
 * Volume and fees of one group. The key is a São Paulo date, a month, a seller's id, a payment method, or OTHER: for fees
 * that belong to no payment, and for the smallest sellers.
 */
export type RevenueRow = { key: string; paidCount: number; grossVolumeAmount: Centavos; fees: FeeTotals }

export type RevenueGrouping = 'total' | 'day' | 'month' | 'seller' | 'method'

// What payments and fees are grouped by.
const KEYS: Readonly<Record<Exclude<RevenueGrouping, 'seller'>, { payment: SQL; fee: SQL }>> = {
  total: { payment: sql`'total'`, fee: sql`'total'` },
  day: { payment: sql`day::text`, fee: sql`day::text` },
  month: { payment: sql`to_char(day, 'YYYY-MM')`, fee: sql`to_char(day, 'YYYY-MM')` },
  method: { payment: sql`dimensions[1]`, fee: sql`coalesce(nullif(method, ''), ${OTHER})` },
}

const SUMMED = ['paidCount', 'grossVolumeAmount', ...FEE_NAMES]

const feeColumns = sql.join(
  FEE_NAMES.map((name) => sql.identifier(name)),
  sql`, `,
)

type Raw = Sums<FeeTotals> & { key: string; paidCount: string; grossVolumeAmount: string }

const byKey = (scope: ReportScope, grouping: keyof typeof KEYS): SQL => {
  const { payment, fee } = KEYS[grouping]
  const detail = { months: grouping !== 'day' }
  const parts = grouping === 'method' ? sumFeesPartByMethod : sumFeesPart
  return sql`
    with volume as (
      select ${payment} as key, sum(rows_count)::bigint as "paidCount", sum(amount)::bigint as "grossVolumeAmount"
      from ${figureRows({ subject: 'payment_paid', ...scope }, detail)} as figure
      group by 1 having sum(rows_count) <> 0
    ), fees as (
      select ${fee} as key, ${feeSums} from ${ledgerLegs(scope, { ...detail, parts })} as legs where ${IS_FEE} group by 1
    )
    select key, coalesce("paidCount", 0) as "paidCount", coalesce("grossVolumeAmount", 0) as "grossVolumeAmount", ${feeColumns}
    from volume full join fees using (key)
    order by 3 desc, key`
}

// The largest sellers first; those beyond REVENUE_GROUPS_MAX are one group.
const bySeller = (scope: ReportScope): SQL => sql`
  select key, ${sql.join(
    SUMMED.map((name) => sql`sum(${sql.identifier(name)})::bigint as ${sql.identifier(name)}`),
    sql`, `,
  )}
  from (
    select *, case when row_number() over (order by "grossVolumeAmount" desc, seller_id) > ${REVENUE_GROUPS_MAX}
      then ${OTHER} else seller_id::text end as key
    from ${sellerTotals(scope)} as totals where ${HAS_REVENUE}
  ) as ranked
  group by key order by 3 desc, key`

export const createRevenueQueries = (db: Executor) => ({
  /**
   * Volume, from the payments by when they were paid, and revenue, from the ledger by when it was posted: one
   * statement, so that all groups are of one moment. The largest groups first, at most REVENUE_GROUPS_MAX and OTHER.
   */
  async listRevenue(scope: ReportScope, grouping: RevenueGrouping): Promise<RevenueRow[]> {
    const { rows } = await db.execute<Raw>(grouping === 'seller' ? bySeller(scope) : byKey(scope, grouping))
    return rows.map((row) => ({
      key: row.key,
      paidCount: Number(row.paidCount),
      grossVolumeAmount: centavos(Number(row.grossVolumeAmount)),
      fees: toAmounts<FeeTotals>(row, FEE_NAMES),
    }))
  },
})
