import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/client.ts'
import { firstIdOf, ID_SLACK_MS } from '../db/id-period.ts'
import { ALL_SELLERS, type TotalSubject } from './daily-totals.tables.ts'
import { type Bounds, cutPeriod } from './total-period.ts'

/** What is counted, of whom and when. Without a seller, of all sellers; an expression stands for the seller of a query around. */
export type TotalScope = Bounds<Date> & { sellerId?: string | SQL | undefined }

/** The columns that tell the totals of a subject apart. */
export type Dimension = 'method' | 'status' | 'account' | 'kind' | 'direction' | 'type' | 'webhook_id'

const DIMENSIONS = sql.raw('method, status, account, kind, direction, type, webhook_id')
const MEASURES = sql.raw('rows_count, amount, fee_amount, net_amount')

/** Where the rows of a subject are, and at what instant each counts. `made`: its id tells that instant. */
const SOURCES: Readonly<Record<Exclude<TotalSubject, 'due'>, { table: string; instant: string; made: boolean }>> = {
  payment_created: { table: 'payments', instant: 'created_at', made: true },
  payment_paid: { table: 'payments', instant: 'paid_at', made: false },
  posting: { table: 'ledger_postings', instant: 'created_at', made: true },
  dispute: { table: 'disputes', instant: 'created_at', made: true },
  withdrawal: { table: 'withdrawals', instant: 'created_at', made: true },
  customer: { table: 'customers', instant: 'created_at', made: true },
  event: { table: 'events', instant: 'created_at', made: true },
  delivery: { table: 'webhook_deliveries', instant: 'created_at', made: true },
  provider_event: { table: 'provider_events', instant: 'received_at', made: true },
}

const SELLERLESS: ReadonlySet<TotalSubject> = new Set(['provider_event'])

const quoted = (subject: TotalSubject): SQL => sql.raw(`'${subject}'`)

const within = (column: SQL, { from, to }: Bounds<string>): SQL =>
  sql`${from === undefined ? sql`true` : sql`${column} >= ${from}::date`}
    and ${to === undefined ? sql`true` : sql`${column} < ${to}::date`}`

const during = ({ table, instant, made }: (typeof SOURCES)['posting'], { from, to }: Bounds<Date>): SQL => {
  const column = (name: string): SQL => sql.raw(`${table}.${name}`)
  const idAt = (at: Date, slackMs: number): SQL => sql`${firstIdOf(at.getTime() + slackMs)}::uuid`
  const conditions = [
    ...(from ? [sql`${column(instant)} >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`${column(instant)} < ${to.toISOString()}::timestamptz`] : []),
    // The key finds the rows of a part of a day by the time in their ids.
    ...(made && from ? [sql`${column('id')} >= ${idAt(from, -ID_SLACK_MS)}`] : []),
    ...(made && to ? [sql`${column('id')} < ${idAt(to, ID_SLACK_MS)}`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * Rows of a table as the functions in `sql/` take them. Kept apart from what asks about them (`offset 0`): merged with it the
 * planner of Postgres 18 loses the row ("variable not found in subplan target list").
 */
export const wholeRows = (table: string, where: SQL = sql`true`): SQL =>
  sql`(select ${sql.raw(table)} as whole from ${sql.raw(table)} where ${where} offset 0)`

/** Rows of a subject added up as they are: what `daily_totals_of` says of each. */
const fromRows = (subject: Exclude<TotalSubject, 'due'>, { sellerId, ...bounds }: TotalScope): SQL => {
  const source = SOURCES[subject]
  const isTheirs =
    sellerId === undefined || SELLERLESS.has(subject)
      ? sql`true`
      : sql`${sql.raw(source.table)}.seller_id = ${sellerId}`
  const rows = wholeRows(source.table, sql`${isTheirs} and ${during(source, bounds)}`)
  return sql`
    select total.* from ${rows} as counted cross join lateral daily_totals_of(counted.whole) as total
    where total.subject = ${quoted(subject)}`
}

/** Events whose deliveries have yet to be made: they are in no total. */
const waitingEvents = ({ sellerId, ...bounds }: TotalScope): SQL => {
  const isTheirs = sellerId === undefined ? sql`true` : sql`events.seller_id = ${sellerId}`
  const rows = wholeRows(
    'events',
    sql`events.fanned_out_at is null and ${isTheirs} and ${during(SOURCES.event, bounds)}`,
  )
  return sql`select total.* from ${rows} as waiting cross join lateral daily_total_of_event(waiting.whole) as total`
}

const unionAll = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `)

/** Changes that are not in the totals yet, of whole days. */
export const changesOf = (subject: TotalSubject, sellerId: string | SQL | undefined, whole: Bounds<string>): SQL => sql`
  select * from daily_total_changes
  where ${sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`} and subject = ${quoted(subject)}
    and ${within(sql`day`, whole)}`

/** The rows at the two ends of a period that are in no whole day, and events that are in no total. */
export const rowsOf = (subject: TotalSubject, scope: TotalScope, edges: readonly { from: Date; to: Date }[]): SQL[] => {
  if (subject === 'due') return []
  const parts = edges.map((edge) => fromRows(subject, { sellerId: scope.sellerId, ...edge }))
  return subject === 'event' ? [...parts, waitingEvents(scope)] : parts
}

/**
 * A subquery of the totals of a subject: rows with `seller_id`, `day` (of a whole month the first), the dimensions and
 * `rows_count`, `amount`, `fee_amount` and `net_amount`, to be summed. They are the totals of whole months and days, what has
 * changed since those were rolled up, and the rows themselves at the two ends of a period that begins or ends within a day.
 * In one statement with its reader it is exact to the moment. `months: false` leaves every row in its day.
 */
export const totalRows = (subject: TotalSubject, scope: TotalScope, detail: { months?: boolean } = {}): SQL => {
  const { sellerId } = scope
  const { whole, months, days, edges } = cutPeriod(scope, detail)
  const known = (span: 'day' | 'month', bounds: Bounds<string>): SQL => sql`
    select seller_id, subject, starts_on as day, ${DIMENSIONS}, ${MEASURES} from daily_totals
    where seller_id = ${sellerId ?? ALL_SELLERS} and subject = ${quoted(subject)} and span = ${sql.raw(`'${span}'`)}
      and ${within(sql`starts_on`, bounds)}`
  const parts = [
    ...(months ? [known('month', months)] : []),
    ...days.map((bounds) => known('day', bounds)),
    ...(whole ? [changesOf(subject, sellerId, whole)] : []),
    ...rowsOf(subject, scope, edges),
  ]
  return parts.length === 0 ? sql`(select * from daily_total_changes where false)` : sql`(${unionAll(parts)})`
}

type Given = readonly string[] | string | undefined

const matching = (filter: Partial<Record<Dimension, Given>>): SQL => {
  const conditions = Object.entries(filter).flatMap(([dimension, given]) => {
    const values = [given ?? []].flat()
    return values.length === 0 ? [] : [sql`${sql.raw(dimension)}::text = any(${sql.param(values)}::text[])`]
  })
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** How many rows of a subject there are, exactly, without counting them. A dimension without values is not narrowed. */
export const countTotal = async (
  db: Reader,
  subject: TotalSubject,
  scope: Bounds<Date> & { sellerId?: string | undefined },
  filter: Partial<Record<Dimension, Given>> = {},
): Promise<number> => {
  const { rows } = await db.execute<{ total: string }>(sql`
    select coalesce(sum(rows_count), 0)::bigint as total from ${totalRows(subject, scope)} as total
    where ${matching(filter)}`)
  return Number(rows[0]?.total ?? 0)
}
