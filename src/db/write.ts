import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from './client.ts'
import { sendWrite } from './statement.ts'

/**
 * A statement that goes with a write, in the same one: it reads `changed (old, new)`, the rows that were written as they
 * were and as they are. An insert has no `old`, a delete no `new`.
 */
export type Follow = (operation: 'insert' | 'update' | 'delete') => string

type Row<Table extends PgTable> = Table['$inferSelect']
type ColumnKey<Table extends PgTable> = Extract<keyof Row<Table>, string>

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

const json = <Table extends PgTable>(table: Table, rows: readonly Row<Table>[]): string =>
  JSON.stringify(rows.map((row) => named(table, row)))

const quoted = (name: string): string => `"${name}"`

/** The rows that the first parameter brings as JSON. */
const givenRows = (table: PgTable): string => `json_populate_recordset(null::${quoted(getTableName(table))}, $1::json)`

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

type InsertOptions<Table extends PgTable> = { onConflict?: Conflict<Table>; follow?: Follow }

const insertText = <Table extends PgTable>(table: Table, conflict: Conflict<Table>): string =>
  `insert into ${quoted(getTableName(table))} select * from ${givenRows(table)}${conflictClause(table, conflict)}`

/** Inserts whole rows in one statement. On a conflict it fails, skips the row, or writes over columns of the one that is there. */
export const insertMany = async <Table extends PgTable>(
  db: Writer,
  table: Table,
  rows: readonly Row<Table>[],
  { onConflict = 'fail', follow }: InsertOptions<Table> = {},
): Promise<void> => {
  if (rows.length === 0) return
  const insert = insertText(table, onConflict)
  const text = follow === undefined ? insert : `with changed as (${insert} returning new) ${follow('insert')}`
  await sendWrite(db, { text, values: [json(table, rows)] })
}

/** The same, leaving those alone that are there already. Answers a column, as text, of the rows that are new. */
export const insertNew = async <Table extends PgTable>(
  db: Writer,
  table: Table,
  rows: readonly Row<Table>[],
  { returning, follow }: { returning: ColumnKey<Table>; follow?: Follow },
): Promise<string[]> => {
  if (rows.length === 0) return []
  const column = `(changed.new).${columnName(table, returning)}::text`
  const text = `with changed as (${insertText(table, 'skip')} returning new)${counted(follow, 'insert')} select ${column} as returned from changed`
  const result = await sendWrite<{ returned: string }>(db, { text, values: [json(table, rows)] })
  return result.rows.map(({ returned }) => returned)
}

const counted = (follow: Follow | undefined, operation: Parameters<Follow>[0]): string =>
  follow === undefined ? '' : `, followed as (${follow(operation)})`

type UpdateOptions<Table extends PgTable> = {
  /** By what rows are found. */
  keys: readonly ColumnKey<Table>[]
  /** What is written. A status is moved, never set: see move.ts. */
  set: readonly Exclude<ColumnKey<Table>, 'status'>[]
  follow?: Follow
}

/** Sets some columns of many rows in one statement. Answers how many were there. */
export const updateMany = <Table extends PgTable>(
  db: Writer,
  table: Table,
  rows: readonly Row<Table>[],
  { keys, set, follow }: UpdateOptions<Table>,
): Promise<number> => writeMany(db, table, rows, { keys, set, follow })

type WriteOptions<Table extends PgTable> = {
  keys: readonly ColumnKey<Table>[]
  set: readonly ColumnKey<Table>[]
  follow: Follow | undefined
  /** What a column must hold for its row to be written, row by row. */
  expected?: { column: ColumnKey<Table>; values: readonly string[] }
}

/** The one statement behind `updateMany` and `moveMany`. */
export const writeMany = async <Table extends PgTable>(
  db: Writer,
  table: Table,
  rows: readonly Row<Table>[],
  { keys, set, follow, expected }: WriteOptions<Table>,
): Promise<number> => {
  if (rows.length === 0) return 0
  const name = (key: ColumnKey<Table>) => columnName(table, key)
  const target = quoted(getTableName(table))
  const assignments = set.map((key) => `${name(key)} = given.${name(key)}`).join(', ')
  const match = keys.map((key) => `${target}.${name(key)} = given.${name(key)}`)
  const given = expected ? `rows from (${givenRows(table)}, unnest($2::text[]))` : givenRows(table)
  if (expected) match.push(`${target}.${name(expected.column)} = given.unnest`)
  const write = `update ${target} set ${assignments} from ${given} as given where ${match.join(' and ')}`
  const text = `with changed as (${write} returning old, new)${counted(follow, 'update')} select count(*)::int as count from changed`
  const values = [json(table, rows), ...(expected ? [expected.values] : [])]
  const result = await sendWrite<{ count: number }>(db, { text, values })
  return result.rows[0]?.count ?? 0
}

/** A statement of Drizzle's builder. */
type Built = { getSQL(): SQL }

type Column = { name: string; mapFromDriverValue(value: unknown): unknown }

const rowOf = <Table extends PgTable>(table: Table, raw: Readonly<Record<string, unknown>>): Row<Table> => {
  const columns = Object.entries(getTableColumns(table) as Record<string, Column>)
  const values = columns.map(([key, column]) => {
    const value = raw[column.name]
    return [key, value === null || value === undefined ? null : column.mapFromDriverValue(value)]
  })
  return Object.fromEntries(values) as Row<Table>
}

/** Runs an insert, update or delete with what goes with it. Answers the rows as they are; those that are gone, as they were. */
export const writeFollowed = async <Table extends PgTable>(
  db: Writer,
  table: Table,
  built: Built,
  { operation, follow }: { operation: Parameters<Follow>[0]; follow: Follow },
): Promise<Row<Table>[]> => {
  const side = sql.raw(operation === 'delete' ? 'old' : 'new')
  const { rows } = await db.execute(sql`
    with changed as (${built.getSQL()} returning old, new), followed as (${sql.raw(follow(operation))})
    select (changed.${side}).* from changed`)
  return rows.map((raw) => rowOf(table, raw as Record<string, unknown>))
}
