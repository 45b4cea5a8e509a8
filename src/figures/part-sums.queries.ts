import { type SQL, sql } from 'drizzle-orm'
import type { FigureSubject } from './figures.tables.ts'

/** Which rows a part of a day has, as conditions on their columns. */
export type PartConditions = {
  /** On `seller_id`. */
  theirs: SQL
  /** Whether that holds for every row. */
  ofAll: boolean
  /** On the column that rows are counted by. */
  during: (instant: SQL) => SQL
  /** The same for rows whose ids tell it, and by them: each of the rows meets one of the conditions. */
  made: (instant: SQL) => readonly SQL[]
  /** By what sellers are told apart: `seller_id`, or one value for all where the reader sums them together. */
  seller: SQL
}

/**
 * Adds up a part of a day: selects `seller_id`, `dimensions`, `rows_count`, `amount`, `fee_amount` and `net_amount`, in as
 * many rows as it likes.
 */
export type PartSums = (part: PartConditions) => SQL

/** What is selected for each of some conditions, together. */
export const unionOf = (conditions: readonly SQL[], select: (condition: SQL) => SQL): SQL =>
  sql.join(conditions.map(select), sql` union all `)

/** Row by row, as the triggers count them. */
export const sumRowByRow =
  (subject: FigureSubject): PartSums =>
  ({ theirs, made }) =>
    unionOf(
      made(sql`at`),
      (condition) => sql`
        select seller_id, dimensions, 1::bigint as rows_count, amount, fee_amount, net_amount from figure_sources
        where subject = ${sql.raw(`'${subject}'`)} and ${theirs} and ${condition}`,
    )

const sumCreatedPart: PartSums = ({ theirs, made, seller }) =>
  unionOf(
    made(sql`created_at`),
    (condition) => sql`
      select ${seller} as seller_id, array[method, status] as dimensions, 1::bigint as rows_count, amount,
        0::bigint as fee_amount, 0::bigint as net_amount
      from payments where ${theirs} and ${condition}`,
  )

// Grouped before dimensions are made, and not looked into by the conditions of readers (`offset 0`), which would make them.
const sumPaidPart: PartSums = ({ theirs, during, seller }) => sql`
  select ${seller} as seller_id, array[method, status] as dimensions, count(*) as rows_count,
    sum(paid_amount)::bigint as amount, sum(fee_amount)::bigint as fee_amount, sum(net_amount)::bigint as net_amount
  from payments where ${theirs} and ${during(sql`paid_at`)} group by 1, method, status offset 0`

/**
 * Where there are many rows, an index knows all that is added up. Grouped only where Postgres knows how many there are: it
 * expects none of a range of ids, and would sort them.
 */
export const PART_SUMS: Partial<Record<FigureSubject, PartSums>> = {
  payment_created: sumCreatedPart,
  payment_paid: sumPaidPart,
}
