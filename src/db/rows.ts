import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './client.ts'

// Many rows travel as one JSON parameter: the statement has the same text whatever their number, and building it costs
// a fraction of what placeholders for thousands of values do.
const columnNames = new WeakMap<PgTable, readonly (readonly [key: string, name: string])[]>()

const columnNamesOf = (table: PgTable): readonly (readonly [key: string, name: string])[] => {
  const known = columnNames.get(table)
  if (known !== undefined) return known
  const names = Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, name] as const)
  columnNames.set(table, names)
  return names
}

// A column that is left out is null.
const named = (table: PgTable, row: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const result: Record<string, unknown> = {}
  for (const [key, name] of columnNamesOf(table)) {
    const value = row[key]
    if (value !== null && value !== undefined) result[name] = value
  }
  return result
}

const recordset = <Table extends PgTable>(table: Table, rows: readonly Table['$inferSelect'][]): SQL =>
  sql`json_populate_recordset(null::${sql.identifier(getTableName(table))}, ${JSON.stringify(rows.map((row) => named(table, row)))}::json)`

type ColumnKey<Table extends PgTable> = Extract<keyof Table['$inferSelect'], string>

const columnName = <Table extends PgTable>(table: Table, key: ColumnKey<Table>): SQL =>
  sql`${sql.identifier(getTableColumns(table)[key]?.name ?? key)}`

const list = (parts: SQL[]): SQL => sql.join(parts, sql`, `)

type Conflict<Table extends PgTable> =
  | 'fail'
  | 'skip'
  | { keys: readonly ColumnKey<Table>[]; set: readonly ColumnKey<Table>[] }

const conflictClause = <Table extends PgTable>(table: Table, conflict: Conflict<Table>): SQL => {
  if (conflict === 'fail') return sql``
  if (conflict === 'skip') return sql` on conflict do nothing`
  const keys = list(conflict.keys.map((key) => columnName(table, key)))
  const set = list(conflict.set.map((key) => sql`${columnName(table, key)} = excluded.${columnName(table, key)}`))
  return sql` on conflict (${keys}) do update set ${set}`
}

type InsertOptions<Table extends PgTable> = { onConflict?: Conflict<Table>; returning?: ColumnKey<Table> }

/**
 * Inserts whole rows in one statement. On a conflict it fails, skips the row, or writes over columns of the one that
 * is there. Answers the `returning` column, as text, of the rows that were written.
 */
export const insertRows = async <Table extends PgTable>(
  db: Executor,
  table: Table,
  rows: readonly Table['$inferSelect'][],
  { onConflict = 'fail', returning }: InsertOptions<Table> = {},
): Promise<string[]> => {
  if (rows.length === 0) return []
  const answer = returning === undefined ? sql`` : sql` returning ${columnName(table, returning)}::text as returned`
  const clause = conflictClause(table, onConflict)
  const result = await db.execute<{ returned: string }>(
    sql`insert into ${sql.identifier(getTableName(table))} select * from ${recordset(table, rows)}${clause}${answer}`,
  )
  return result.rows.map(({ returned }) => returned)
}

/** Sets some columns of many rows in one statement; rows are found by `keys`. Answers how many were there. */
export const updateRows = async <Table extends PgTable>(
  db: Executor,
  table: Table,
  rows: readonly Table['$inferSelect'][],
  { keys, set }: { keys: readonly ColumnKey<Table>[]; set: readonly ColumnKey<Table>[] },
): Promise<number> => {
  if (rows.length === 0) return 0
  const name = (key: ColumnKey<Table>) => columnName(table, key)
  const target = sql.identifier(getTableName(table))
  const assignments = list(set.map((key) => sql`${name(key)} = given.${name(key)}`))
  const match = sql.join(
    keys.map((key) => sql`${target}.${name(key)} = given.${name(key)}`),
    sql` and `,
  )
  const { rowCount } = await db.execute(
    sql`update ${target} set ${assignments} from ${recordset(table, rows)} as given where ${match}`,
  )
  return rowCount ?? 0
}
