import { type SQL, sql } from 'drizzle-orm'
import type { FeeTotals } from '../../domain/revenue.ts'
import { figureRows, sellerSumRows } from '../../figures/figures.queries.ts'
import { IS_FEE, sumLegsPart } from '../../ledger/posting-sums.queries.ts'
import {
  FEE_NAMES,
  feeSums,
  IS_MOVEMENT,
  ledgerLegs,
  MOVEMENT_NAMES,
  type MovementTotals,
  movementSums,
  type Sums,
} from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'

/** What each seller did in a period, as Postgres sends it. */
export type RawTotals = Sums<FeeTotals> & Sums<MovementTotals> & { paidCount: string; grossVolumeAmount: string }

type Column = keyof RawTotals | 'feesCount' | 'legsCount'

const AMOUNTS = [...FEE_NAMES, ...MOVEMENT_NAMES]
const COLUMNS: readonly Column[] = ['paidCount', 'grossVolumeAmount', 'feesCount', 'legsCount', ...AMOUNTS]

const inTable = (column: Column): string => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const listed = (of: (column: Column) => SQL): SQL => sql.join(COLUMNS.map(of), sql`, `)

// What is not folded yet, and the parts of days at the ends, in the same columns.
const unfolded = (scope: ReportScope): SQL => sql`
  select seller_id, sum(rows_count)::bigint as "paidCount", sum(amount)::bigint as "grossVolumeAmount",
    0 as "feesCount", 0 as "legsCount",
    ${sql.join(
      AMOUNTS.map((name) => sql`0 as ${sql.identifier(name)}`),
      sql`, `,
    )}
  from ${figureRows({ subject: 'payment_paid', ...scope }, { folded: false })} as figure group by seller_id
  union all
  select seller_id, 0, 0, sum(rows_count) filter (where ${IS_FEE}), sum(rows_count), ${feeSums}, ${movementSums}
  from ${ledgerLegs(scope, { folded: false, parts: sumLegsPart })} as legs where ${IS_FEE} or ${IS_MOVEMENT} group by seller_id`

/**
 * A subquery of what each seller did in a period, with the columns of RawTotals and `seller_id`; `feesCount` and `legsCount`
 * say whether fees were posted, and whether anything was besides payments. Sellers who did nothing may be among them.
 */
export const sellerTotals = (scope: ReportScope): SQL => sql`(
  select seller_id, ${listed((column) => sql`sum(${sql.identifier(column)})::bigint as ${sql.identifier(column)}`)}
  from (
    select seller_id, ${listed((column) => sql`${sql.identifier(inTable(column))} as ${sql.identifier(column)}`)}
    from ${sellerSumRows(scope)} as kept
    union all ${unfolded(scope)}
  ) as parts
  group by seller_id
)`

/** Whether one of those did anything that is billed. */
export const IS_BILLED = sql`"paidCount" <> 0 or "legsCount" <> 0`

/** Whether one of those brought volume or revenue. */
export const HAS_REVENUE = sql`"paidCount" <> 0 or "feesCount" <> 0`
