import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './client.ts'
import { send } from './statement.ts'

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

const json = <Table extends PgTable>(table: Table, rows: readonly Table['$inferSelect'][]): string =>
  JSON.stringify(rows.map((row) => named(table, row)))

const quoted = (name: string): string => `"${name}"`

/** The rows that the first parameter brings as JSON. */
const givenRows = (table: PgTable): string => `json_populate_recordset(null::${quoted(getTableName(table))}, $1::json)`

type ColumnKey<Table extends PgTable> = Extract<keyof Table['$inferSelect'], string>

const columnName = <Table extends PgTable>(table: Table, key: ColumnKey<Table>): string =>
  quoted(getTableColumns(table)[key]?.name ?? key)

type Conflict<Table extends PgTable> =
  | 'fail'
  | 'skip'
  | { keys: readonly ColumnKey<Table>[]; set: readonly ColumnKey<Table>[] }

const conflictClause = <Table extends PgTable>(table: Table, conflict: Conflict<Table>): string => {
  if (conflict === 'fail') return ''
  if (conflict === 'skip') return ' on conflict do nothing'
  const keys = conflict.keys.map((key) => columnName(table, key))
  const set = conflict.set.map((key) => `${columnName(table, key)} = excluded.${columnName(table, key)}`)
  return ` on conflict (${keys.join(', ')}) do update set ${set.join(', ')}`
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
  const name = getTableName(table)
  const text = `insert into ${quoted(name)} select * from ${givenRows(table)}${conflictClause(table, onConflict)}`
  const values = [json(table, rows)]
  if (returning === undefined) {
    await send(db, { text, values, insertsInto: name })
    return []
  }
  const answer = ` returning ${columnName(table, returning)}::text as returned`
  const result = await send<{ returned: string }>(db, { text: text + answer, values })
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
  const target = quoted(getTableName(table))
  const assignments = set.map((key) => `${name(key)} = given.${name(key)}`).join(', ')
  const match = keys.map((key) => `${target}.${name(key)} = given.${name(key)}`).join(' and ')
  const text = `update ${target} set ${assignments} from ${givenRows(table)} as given where ${match}`
  const { rowCount } = await send(db, { text, values: [json(table, rows)] })
  return rowCount ?? 0
}
