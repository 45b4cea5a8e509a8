import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { firstIdOf, ID_DRIFT_MS, ID_SLACK_MS } from '../db/id-period.ts'
import { saoPauloDate } from '../domain/calendar.ts'
import { type Bounds, cutPeriod, type DayPart } from './figure-period.ts'
import { ALL_SELLERS, type FigureSubject } from './figures.tables.ts'

/** Which rows to add up. Without a seller, those of all sellers. An expression stands for the seller of a query around. */
export type FigureScope = Bounds<Date> & { subject: FigureSubject; sellerId?: string | SQL | undefined }

/**
 * `months: false` leaves every row in a day. `folded: false` leaves out what is summed in `figures` already. `only` finds,
 * by an index, the ids of all rows that matter to the reader among those of a condition on `seller_id` and `id`: the others
 * of the parts of days may be missing in the answer.
 */
export type FigureDetail = { months?: boolean; folded?: boolean; only?: ((condition: SQL) => SQL) | undefined }

/** Values of each dimension in turn, any of which may stand there; none: all. */
export type DimensionFilter = readonly (readonly string[] | undefined)[]

const COLUMNS = sql.raw('seller_id, dimensions, rows_count, amount, fee_amount, net_amount')

const between = (column: SQL, { from, to }: Bounds<string>, type: SQL): SQL =>
  sql`${from === undefined ? sql`true` : sql`${column} >= ${from}::${type}`}
    and ${to === undefined ? sql`true` : sql`${column} < ${to}::${type}`}`

const DATE = sql.raw('date')
const INSTANT = sql.raw('timestamptz')

// The owner of folded rows, and of rows as they are: those carry their seller, so that all sellers means no condition.
const ownersOf = ({ sellerId }: Pick<FigureScope, 'sellerId'>): { folded: SQL; each: SQL } =>
  sellerId === undefined
    ? { folded: sql`seller_id = ${ALL_SELLERS}`, each: sql`true` }
    : { folded: sql`seller_id = ${sellerId}`, each: sql`seller_id = ${sellerId}` }

/**
 * How the id of a row relates to the instant that it is counted by, which lets the key find the part of a day: made just
 * after it, or made within a day after it. One that was made before it, whenever that was, is found by the instant.
 */
const ID_IS: Readonly<Record<FigureSubject, 'just_after' | 'after' | 'before'>> = {
  payment_created: 'just_after',
  payment_paid: 'before',
  posting: 'after',
  due: 'before',
  dispute: 'just_after',
  withdrawal: 'just_after',
  customer: 'just_after',
  event: 'after',
  delivery: 'after',
  provider_event: 'just_after',
}

const idsOf = (subject: FigureSubject, { from, to }: DayPart): SQL => {
  if (ID_IS[subject] === 'before') return sql`true`
  const bounds = {
    from: firstIdOf(from.getTime() - ID_SLACK_MS),
    to: firstIdOf(to.getTime() + (ID_IS[subject] === 'after' ? ID_DRIFT_MS : ID_SLACK_MS)),
  }
  return between(sql`id`, bounds, sql.raw('uuid'))
}

const signed = ({ sign }: DayPart): SQL =>
  sign === 1
    ? sql.raw('1 as rows_count, amount, fee_amount, net_amount')
    : sql.raw('-1, -amount, -fee_amount, -net_amount')

const CHANGES = sql.raw('figure_changes')

/** What the sums of whole days lack. An event is taken in when it is fanned out, so that writing it costs nothing here. */
const unfolded = (subject: FigureSubject): SQL[] =>
  subject === 'event' ? [CHANGES, sql.raw('figure_waiting')] : [CHANGES]

/**
 * A subquery of rows to add up, each with `seller_id`, `day` (of a whole month the first), `dimensions`, `rows_count`,
 * `amount`, `fee_amount` and `net_amount`: known months and days, what has changed since they were folded, and at the ends
 * of the period parts of days row by row, those negative that a whole day has too many. In one statement with its reader
 * it is exact to the moment.
 */
export const figureRows = (scope: FigureScope, detail: FigureDetail = {}): SQL => {
  const { subject } = scope
  const { whole, months, days, edges } = cutPeriod(scope, detail)
  const owners = ownersOf(scope)
  const about = sql`subject = ${sql.raw(`'${subject}'`)}`
  const sumsOf = (span: 'day' | 'month', bounds: Bounds<string>): SQL => sql`
    select starts_on as day, ${COLUMNS} from figures
    where ${owners.folded} and ${about} and span = ${sql.raw(`'${span}'`)} and ${between(sql`starts_on`, bounds, DATE)}`
  const edgeIds = (edge: DayPart): SQL => {
    const ids = idsOf(subject, edge)
    return detail.only === undefined ? ids : sql`id = any(array(${detail.only(sql`${owners.each} and ${ids}`)}))`
  }
  const parts = [
    ...(months && detail.folded !== false ? [sumsOf('month', months)] : []),
    ...(detail.folded === false ? [] : days.map((bounds) => sumsOf('day', bounds))),
    ...(whole
      ? unfolded(subject).map(
          (source) => sql`select day, ${COLUMNS} from ${source}
            where ${owners.each} and ${about} and ${between(sql`day`, whole, DATE)}`,
        )
      : []),
    ...edges.map(
      (edge) => sql`
        select ${saoPauloDate(edge.from)}::date as day, seller_id, dimensions, ${signed(edge)}
        from figure_sources
        where ${owners.each} and ${about} and ${edgeIds(edge)}
          and ${between(sql`at`, { from: edge.from.toISOString(), to: edge.to.toISOString() }, INSTANT)}`,
    ),
  ]
  return sql`(${parts.length === 0 ? sql`select starts_on as day, ${COLUMNS} from figures where false` : sql.join(parts, sql` union all `)})`
}

/**
 * What is summed in `seller_sums` of the months and days of a period, in rows of those columns. With `figureRows` that are
 * not folded, in one statement, it is exact to the moment.
 */
export const sellerSumRows = ({ sellerId, ...period }: Bounds<Date> & { sellerId?: string | undefined }): SQL => {
  const { months, days } = cutPeriod(period)
  const theirs = sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`
  const rowsOf = (span: 'day' | 'month', bounds: Bounds<string>): SQL => sql`
    select * from seller_sums
    where ${theirs} and span = ${sql.raw(`'${span}'`)} and ${between(sql`starts_on`, bounds, DATE)}`
  const parts = [...(months ? [rowsOf('month', months)] : []), ...days.map((bounds) => rowsOf('day', bounds))]
  return sql`(${parts.length === 0 ? sql`select * from seller_sums where false` : sql.join(parts, sql` union all `)})`
}

/** The condition that a row of `figureRows` has these dimensions. */
export const withDimensions = (filter: DimensionFilter): SQL => {
  const conditions = filter.flatMap((values, index) =>
    values === undefined || values.length === 0
      ? []
      : [sql`dimensions[${sql.raw(String(index + 1))}] = any(${sql.param([...values])}::text[])`],
  )
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** How many rows there are, exactly, without counting them. */
const countFigures = async (db: Executor, scope: FigureScope, dimensions: DimensionFilter = []): Promise<number> => {
  const { rows } = await db.execute<{ total: string }>(sql`
    select coalesce(sum(rows_count), 0)::bigint as total from ${figureRows(scope)} as figure
    where ${withDimensions(dimensions)}`)
  return Number(rows[0]?.total ?? 0)
}

type ListFilter = Bounds<Date> & { sellerId?: string | undefined }

/**
 * How the total of a list is known without counting it: `dimensions` are the fields of its filter that stand for those of
 * the subject, in their order. Undefined where the list is narrowed by anything else.
 */
export const figureCount = <Filter extends ListFilter>(
  db: Executor,
  subject: FigureSubject,
  { sellerId, from, to, ...narrowing }: Filter,
  dimensions: readonly Extract<keyof Filter, string>[] = [],
): (() => Promise<number>) | undefined => {
  const given = Object.entries(narrowing).filter(([, value]) => value !== undefined)
  if (given.some(([name]) => !dimensions.some((dimension) => dimension === name))) return undefined
  const values = new Map(given) as ReadonlyMap<string, readonly string[]>
  return () =>
    countFigures(
      db,
      { subject, sellerId, from, to },
      dimensions.map((name) => values.get(name)),
    )
}
