import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { firstIdOf, ID_DRIFT_MS, ID_SLACK_MS, isLate } from '../db/id-period.ts'
import { saoPauloDate } from '../domain/calendar.ts'
import { type Bounds, cutPeriod, type DayPart } from './figure-period.ts'
import { ALL_SELLERS, type FigureSubject } from './figures.tables.ts'
import { PART_SUMS, type PartSums, sumRowByRow } from './part-sums.queries.ts'

/** Which rows to add up. Without a seller, those of all sellers. An expression stands for the seller of a query around. */
export type FigureScope = Bounds<Date> & { subject: FigureSubject; sellerId?: string | SQL | undefined }

/**
 * `months: false` leaves every row in a day. `folded: false` leaves out what is summed in `figures` already, and tells sellers
 * apart. `parts` adds up parts of days, where a reader looks at less than all rows and dimensions of its subject.
 */
export type FigureDetail = { months?: boolean; folded?: boolean; parts?: PartSums | undefined }

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

const ID = sql.raw('id')

const idFrom = (instant: Date, ms: number): SQL => sql`${firstIdOf(instant.getTime() + ms)}::uuid`

const idRange = (from: SQL, to: SQL): SQL => sql`${ID} >= ${from} and ${ID} < ${to}`

// Each of the rows of a part of a day is in one of these ranges. Of postings an index holds the few that are much later.
const idRanges = (subject: FigureSubject, { from, to }: DayPart, instant: SQL): SQL[] => {
  const [first, end, lateEnd] = [idFrom(from, -ID_SLACK_MS), idFrom(to, ID_SLACK_MS), idFrom(to, ID_DRIFT_MS)]
  if (ID_IS[subject] !== 'after') return [idRange(first, end)]
  if (subject !== 'posting') return [idRange(first, lateEnd)]
  return [idRange(first, end), sql`${idRange(end, lateEnd)} and ${isLate({ id: ID, createdAt: instant })}`]
}

const during =
  ({ from, to }: DayPart) =>
  (instant: SQL): SQL =>
    between(instant, { from: from.toISOString(), to: to.toISOString() }, INSTANT)

const made =
  (subject: FigureSubject, part: DayPart) =>
  (instant: SQL): SQL[] =>
    ID_IS[subject] === 'before'
      ? [during(part)(instant)]
      : idRanges(subject, part, instant).map((ids) => sql`${ids} and ${during(part)(instant)}`)

const signed = ({ sign }: DayPart): SQL =>
  sql.raw(
    ['rows_count', 'amount', 'fee_amount', 'net_amount']
      .map((name) => (sign === 1 ? name : `-${name} as ${name}`))
      .join(', '),
  )

const CHANGES = sql.raw('figure_changes')

/** What the sums of whole days lack. An event is taken in when it is fanned out, so that writing it costs nothing here. */
const unfolded = (subject: FigureSubject): SQL[] =>
  subject === 'event' ? [CHANGES, sql.raw('figure_waiting')] : [CHANGES]

/**
 * A subquery of rows to add up, each with `seller_id`, `day` (of a whole month the first), `dimensions`, `rows_count`,
 * `amount`, `fee_amount` and `net_amount`: known months and days, what has changed since they were folded, and parts of days
 * at the ends of the period, negative where a whole day has too much. In one statement with its reader it is exact to the
 * moment.
 */
export const figureRows = (scope: FigureScope, detail: FigureDetail = {}): SQL => {
  const { subject } = scope
  const { whole, months, days, edges } = cutPeriod(scope, detail)
  const owners = ownersOf(scope)
  const about = sql`subject = ${sql.raw(`'${subject}'`)}`
  const sumsOf = (span: 'day' | 'month', bounds: Bounds<string>): SQL => sql`
    select starts_on as day, ${COLUMNS} from figures
    where ${owners.folded} and ${about} and span = ${sql.raw(`'${span}'`)} and ${between(sql`starts_on`, bounds, DATE)}`
  const sumPart = detail.parts ?? PART_SUMS[subject] ?? sumRowByRow(subject)
  const seller = detail.folded === false ? sql`seller_id` : sql`null::uuid`
  const edgeSums = (edge: DayPart): SQL =>
    sumPart({
      theirs: owners.each,
      ofAll: scope.sellerId === undefined,
      during: during(edge),
      made: made(subject, edge),
      seller,
    })
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
        from (${edgeSums(edge)}) as part`,
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
const countFigures = async (
  db: Executor,
  scope: FigureScope,
  dimensions: DimensionFilter,
  parts: PartSums | undefined,
): Promise<number> => {
  const { rows } = await db.execute<{ total: string }>(sql`
    select coalesce(sum(rows_count), 0)::bigint as total from ${figureRows(scope, { parts })} as figure
    where ${withDimensions(dimensions)}`)
  return Number(rows[0]?.total ?? 0)
}

type ListFilter = Bounds<Date> & { sellerId?: string | undefined }

/**
 * How the total of a list is known without counting it: `dimensions` are the fields of its filter that stand for those of
 * the subject, in their order; `parts` adds up parts of days. Undefined where the list is narrowed by anything else.
 */
export const figureCount = <Filter extends ListFilter>(
  db: Executor,
  subject: FigureSubject,
  { sellerId, from, to, ...narrowing }: Filter,
  dimensions: readonly Extract<keyof Filter, string>[] = [],
  parts?: PartSums,
): (() => Promise<number>) | undefined => {
  const given = Object.entries(narrowing).filter(([, value]) => value !== undefined)
  if (given.some(([name]) => !dimensions.some((dimension) => dimension === name))) return undefined
  const values = new Map(given) as ReadonlyMap<string, readonly string[]>
  return () =>
    countFigures(
      db,
      { subject, sellerId, from, to },
      dimensions.map((name) => values.get(name)),
      parts,
    )
}
