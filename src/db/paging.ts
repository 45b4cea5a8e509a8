import { type AnyColumn, and, asc, desc, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { invariant } from '../domain/invariant.ts'
import type { Reader } from './client.ts'
import type { Cursor, Page, PageRequest, Sort } from './page.ts'

/** The columns that a list may be sorted by beside its id, by the fields that show them. None is ever null. */
type Sorts = Readonly<Record<string, AnyColumn>>

type Source<Table extends PgTable> = {
  db: Reader
  table: Table
  /** A UUIDv7 column: its order is the order of creation. */
  id: AnyColumn
  sorts?: Sorts | undefined
  where: SQL | undefined
  /** Knows the total without counting the rows. It must be exact. */
  count?: (() => Promise<number>) | undefined
}

/** What a list is in order of: the id, or a column and the id. */
type Keys = readonly [SQLWrapper] | readonly [SQLWrapper, SQLWrapper]

const keysOf = ({ id, sorts = {} }: Pick<Source<PgTable>, 'id' | 'sorts'>, { field }: Sort): Keys => {
  if (field === 'createdAt') return [id]
  const column = sorts[field]
  invariant(column !== undefined, 'a list is sorted only by what its query takes')
  return [column, id]
}

const tuple = (values: readonly SQLWrapper[]): SQL => sql`(${sql.join([...values], sql`, `)})`

type Place = Pick<Cursor, 'id' | 'value'>

/** The condition that a row stands behind a place (or at it, where it is included) in an order. */
const beyond = (keys: Keys, { id, value }: Place, ascending: boolean, { included = false } = {}): SQL => {
  const operator = sql.raw(`${ascending ? '>' : '<'}${included ? '=' : ''}`)
  const place = keys.length === 1 ? [sql`${id}`] : [sql`${value}`, sql`${id}`]
  return sql`${tuple(keys)} ${operator} ${tuple(place)}`
}

/** Where a walk through a whole selection is, and in which order it goes. */
export type Walk = { after: Place | undefined; sort: Sort }

const inOrder = (keys: readonly SQLWrapper[], ascending: boolean): SQL[] =>
  keys.map((key) => (ascending ? asc(key) : desc(key)))

type Window = { ascending: boolean; offset: number; limit: number; reversed: boolean; cursor: Place | undefined }

// What comes before a place is read from there on, in the opposite order.
const byCursor = (cursor: Cursor, { perPage, sort }: PageRequest): Window => {
  const reversed = cursor.direction === 'before'
  return { ascending: sort.descending === reversed, offset: 0, limit: perPage, reversed, cursor }
}

/**
 * The rows of a page by number among `total`. One of the second half is read from the end, in the opposite order, so that
 * the last page costs what the first one does.
 */
const byNumber = ({ page, perPage, sort }: PageRequest, total: number): Window => {
  const start = (page - 1) * perPage
  const limit = Math.max(0, Math.min(perPage, total - start))
  const fromEnd = Math.max(0, total - start - limit)
  const reversed = limit > 0 && start > fromEnd
  const offset = reversed ? fromEnd : start
  return { ascending: sort.descending === reversed, offset, limit, reversed, cursor: undefined }
}

/** Few enough to be sorted, once whatever narrows them has found them. */
const FEW_MAX = 1_000

// Postgres may take few rows for many, and then reads all there are in the order of their keys to meet them on its way. As
// text, and as a row, they have the same order, and no index has it.
const orderOf = (keys: Keys, { ascending }: Window, isFew: boolean): SQL[] => {
  if (!isFew) return inOrder(keys, ascending)
  return inOrder([keys.length === 1 ? sql`${keys[0]}::text` : sql`row${tuple(keys)}`], ascending)
}

// A deep page is found by its keys alone, which an index holds: no row is fetched, or sorted, only to be passed over.
const startOf = async <Table extends PgTable>(
  { db, table, where }: Source<Table>,
  keys: Keys,
  { cursor, offset, ascending }: Window,
  order: SQL[],
): Promise<SQL | undefined> => {
  if (cursor !== undefined) return beyond(keys, cursor, ascending)
  if (offset === 0) return undefined
  const [id, value] = keys.toReversed()
  const [start] = await db
    .select({ id: sql<string>`${id}`, ...(value && { value: sql<string>`${value}::text` }) })
    .from(table as PgTable)
    .where(where)
    .orderBy(...order)
    .limit(1)
    .offset(offset)
  return start === undefined ? sql`false` : beyond(keys, start, ascending, { included: true })
}

const countRows = async <Table extends PgTable>({ db, table, where }: Source<Table>): Promise<number> => {
  const [counted] = await db
    .select({ total: sql<string>`count(*)` })
    .from(table as PgTable)
    .where(where)
  return Number(counted?.total ?? 0)
}

/** One page of a table in the order that is asked for, by page number or cursor, with the exact total. */
export const readPage = async <Table extends PgTable>(
  source: Source<Table>,
  request: PageRequest,
): Promise<Page<Table['$inferSelect']>> => {
  const { db, table, where } = source
  const keys = keysOf(source, request.sort)
  const totalRecords = await (source.count?.() ?? countRows(source))
  const window = request.cursor ? byCursor(request.cursor, request) : byNumber(request, totalRecords)
  if (window.limit === 0 || totalRecords === 0) return { rows: [], totalRecords }
  const order = orderOf(keys, window, source.count === undefined && totalRecords <= FEW_MAX)
  const start = await startOf(source, keys, window, order)
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(where, start))
    .orderBy(...order)
    .limit(window.limit)
  const found = rows as Table['$inferSelect'][]
  return { rows: window.reversed ? found.reverse() : found, totalRecords }
}

/** The next rows behind a place in an order: for walking through a whole selection, however large it is. */
export const readNext = async <Table extends PgTable>(
  source: Pick<Source<Table>, 'db' | 'table' | 'id' | 'sorts' | 'where'>,
  { after, sort }: Walk,
  limit: number,
): Promise<Table['$inferSelect'][]> => {
  const { db, table, where } = source
  const keys = keysOf(source, sort)
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(where, after && beyond(keys, after, !sort.descending)))
    .orderBy(...inOrder(keys, !sort.descending))
    .limit(limit)
  return rows as Table['$inferSelect'][]
}

type FoundSource<Table extends PgTable> = Pick<Source<Table>, 'db' | 'table' | 'id' | 'sorts'> & {
  /**
   * A statement that finds the ids, as `id`, and what they may be sorted by under the names of the fields: expensive, so it
   * runs once for the total and the page.
   */
  found: SQL
  /** What makes the ids a key of the table. */
  where: SQL | undefined
  /** What was looked through, where that is not everything. */
  searched?: Searched | undefined
}

/** Two statements: what is looked through, known to `found` and to the second as `searched`, and where that ends. */
type Searched = {
  rows: SQL
  /** Answers one row of `ids`, known to `found` as `edge`: the last that is looked through and the next, where there is one. */
  edge: SQL
}

// A search that goes on begins where the one before it ended, which is no place among what it finds.
const placeIn = (cursor: Cursor | undefined): Cursor | undefined =>
  cursor?.id === cursor?.searchedTo ? undefined : cursor

type FoundIds = { total: string; ids: string[]; oldest: string | null }

/** More is never found, and does not fit an index of an array. */
const FOUND_MAX = 2_000_000_000

// One scan of what was found answers how many they are and which of them are on the page.
const findIds = async (
  { db, found, searched, ...source }: FoundSource<PgTable>,
  { page, perPage, sort, cursor: asked }: PageRequest,
): Promise<FoundIds> => {
  const cursor = placeIn(asked)
  const ascending = sort.descending === (cursor?.direction === 'before')
  const id = sql`found.id`
  const named: Keys = keysOf(source, sort).length === 1 ? [id] : [sql`found.${sql.identifier(sort.field)}`, id]
  const bound = cursor ? beyond(named, cursor, ascending) : sql`true`
  const offset = cursor ? 0 : Math.min((page - 1) * perPage, FOUND_MAX)
  const looked = searched && sql`searched as materialized (${searched.rows}), edge as materialized (${searched.edge}),`
  const { rows } = await db.execute<FoundIds>(sql`
    with ${looked ?? sql.empty()} found as materialized (${found})
    select count(found.id) as total,
      coalesce((array_agg(found.id::text order by ${sql.join(inOrder(named, ascending), sql`, `)})
        filter (where ${bound}))[${offset}::int + 1 : ${offset}::int + ${perPage}::int], '{}') as ids,
      ${searched ? sql`(select case when cardinality(ids) > 1 then ids[1] end from edge)` : sql`null`} as oldest
    from found`)
  return rows[0] ?? { total: '0', ids: [], oldest: null }
}

/** The same of the rows that a search finds. */
export const readFoundPage = async <Table extends PgTable>(
  source: FoundSource<Table>,
  request: PageRequest,
): Promise<Page<Table['$inferSelect']>> => {
  const { db, table, id, where } = source
  const { total, ids, oldest } = await findIds(source as FoundSource<PgTable>, request)
  const totals = { totalRecords: Number(total), ...(oldest === null ? {} : { searchedTo: oldest }) }
  if (ids.length === 0) return { rows: [], ...totals }
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(where, inArray(id, ids)))
    .orderBy(...inOrder(keysOf(source, request.sort), !request.sort.descending))
  return { rows: rows as Table['$inferSelect'][], ...totals }
}

/**
 * The same of rows that are expensive to find and may be few or many. Few are found once, for the total and the page; many
 * are counted, and soon met on a walk in the order of their ids. `key`: as `where` of a found source.
 */
export const readSearchedPage = async <Table extends PgTable>(
  { key, ...source }: Omit<Source<Table>, 'sorts'> & { key: SQL | undefined },
  request: PageRequest,
): Promise<Page<Table['$inferSelect']>> => {
  const { db, table, id, where } = source
  // Planned as if all of them were wanted, and left off as soon as they are many.
  const found = sql`
    with every as materialized (select ${id} from ${table} where ${where ?? sql`true`})
    select id from every limit ${FEW_MAX + 1}`
  const page = await readFoundPage({ db, table, id, found, where: key }, request)
  return page.totalRecords <= FEW_MAX ? page : readPage(source, request)
}
