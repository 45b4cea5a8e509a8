import { type AnyColumn, and, asc, desc, gt, gte, inArray, lt, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Page, PageRequest } from '../http/pagination.ts'
import type { Executor } from './client.ts'

type Source<Table extends PgTable> = {
  db: Executor
  table: Table
  /** A UUIDv7 column: its order is the order of creation. */
  id: AnyColumn
  where: SQL | undefined
  /** Knows the total without counting the rows. It must be exact. */
  count?: (() => Promise<number>) | undefined
}

type Window = { ascending: boolean; offset: number; limit: number; reversed: boolean; bound: SQL | undefined }

const byCursor = (id: AnyColumn, { direction, id: at }: NonNullable<PageRequest['cursor']>, limit: number): Window =>
  direction === 'after'
    ? { ascending: false, offset: 0, limit, reversed: false, bound: lt(id, at) }
    : { ascending: true, offset: 0, limit, reversed: true, bound: gt(id, at) }

/**
 * The rows of a page by number among `total`. One of the second half is read from the end, in the opposite order, so that
 * the last page costs what the first one does.
 */
export const numberedRows = ({ page, perPage }: Pick<PageRequest, 'page' | 'perPage'>, total: number) => {
  const start = (page - 1) * perPage
  const limit = Math.max(0, Math.min(perPage, total - start))
  const fromEnd = Math.max(0, total - start - limit)
  const reversed = limit > 0 && start > fromEnd
  return { limit, offset: reversed ? fromEnd : start, reversed }
}

const byNumber = (request: PageRequest, total: number): Window => {
  const rows = numberedRows(request, total)
  return { ...rows, ascending: rows.reversed, bound: undefined }
}

/** Few enough to be sorted, once whatever narrows them has found them. */
const FEW_MAX = 1_000

// Postgres may take few rows for many, and then reads all there are in the order of their ids to meet them on its way. As
// text they have the same order, and no index has it.
const orderOf = (id: AnyColumn, { ascending }: Window, isFew: boolean): SQL => {
  const key: SQLWrapper = isFew ? sql`${id}::text` : id
  return ascending ? asc(key) : desc(key)
}

// A deep page is found by ids alone, which an index holds: no row is fetched, or sorted, only to be passed over.
const startOf = async <Table extends PgTable>({ db, table, id, where }: Source<Table>, window: Window, order: SQL) => {
  if (window.offset === 0) return window.bound
  const [start] = await db
    .select({ id: sql<string>`${id}` })
    .from(table as PgTable)
    .where(where)
    .orderBy(order)
    .limit(1)
    .offset(window.offset)
  if (start === undefined) return sql`false`
  return window.reversed ? gte(id, start.id) : lte(id, start.id)
}

const countRows = async <Table extends PgTable>({ db, table, where }: Source<Table>): Promise<number> => {
  const [counted] = await db
    .select({ total: sql<string>`count(*)` })
    .from(table as PgTable)
    .where(where)
  return Number(counted?.total ?? 0)
}

/** One page of a table, newest first, by page number or cursor, with the exact total. */
export const readPage = async <Table extends PgTable>(
  source: Source<Table>,
  request: PageRequest,
): Promise<Page<Table['$inferSelect']>> => {
  const { db, table, id, where } = source
  const totalRecords = await (source.count?.() ?? countRows(source))
  const window = request.cursor ? byCursor(id, request.cursor, request.perPage) : byNumber(request, totalRecords)
  if (window.limit === 0 || totalRecords === 0) return { rows: [], totalRecords }
  const order = orderOf(id, window, source.count === undefined && totalRecords <= FEW_MAX)
  const start = await startOf(source, window, order)
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(where, start))
    .orderBy(order)
    .limit(window.limit)
  const found = rows as Table['$inferSelect'][]
  return { rows: window.reversed ? found.reverse() : found, totalRecords }
}

type FoundSource<Table extends PgTable> = Pick<Source<Table>, 'db' | 'table' | 'id'> & {
  /** A statement that finds the ids, as `id`: expensive, so it runs once for the total and the page. */
  found: SQL
  /** What makes the ids a key of the table. */
  where: SQL | undefined
}

/** The same of the rows that a search finds. */
export const readFoundPage = async <Table extends PgTable>(
  { db, table, id, found, where }: FoundSource<Table>,
  { cursor, page, perPage }: PageRequest,
): Promise<Page<Table['$inferSelect']>> => {
  const backwards = cursor?.direction === 'before'
  const bound = cursor && (backwards ? sql`id > ${cursor.id}` : sql`id < ${cursor.id}`)
  const { rows: answers } = await db.execute<{ total: string; ids: string[] }>(sql`
    with found as materialized (${found})
    select (select count(id) from found) as total, array(
      select id::text from found where ${bound ?? sql`true`}
      order by ${backwards ? sql`found.id asc` : sql`found.id desc`}
      limit ${perPage} offset ${cursor ? 0 : (page - 1) * perPage}
    ) as ids`)
  const { total, ids } = answers[0] ?? { total: '0', ids: [] }
  if (ids.length === 0) return { rows: [], totalRecords: Number(total) }
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(where, inArray(id, ids)))
    .orderBy(desc(id))
  return { rows: rows as Table['$inferSelect'][], totalRecords: Number(total) }
}

/**
 * The same of rows that are expensive to find and may be few or many. Few are found once, for the total and the page; many
 * are counted, and soon met on a walk in the order of their ids. `key`: as `where` of a found source.
 */
export const readSearchedPage = async <Table extends PgTable>(
  { key, ...source }: Source<Table> & { key: SQL | undefined },
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
