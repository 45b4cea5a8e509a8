import { query } from './postgres.ts'

/** Parts of values that differ from one payment to the next, and the SQL expression that stands for each. */
export type Parts = ReadonlyMap<string, string>

// pgbench takes every `:name` for a variable of its own, within quotes too: a colon is written as its octal code.
const quote = (text: string): string =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\072')}'`

// A text with known parts in it becomes a concatenation of what stays and what changes.
const expressionOf = (text: string, parts: Parts): string => {
  const pieces = [...parts].reduce<(string | { sql: string })[]>(
    (found, [part, sql]) =>
      found.flatMap((piece) =>
        typeof piece === 'string'
          ? piece.split(part).flatMap((rest, index) => (index === 0 ? [rest] : [{ sql }, rest]))
          : [piece],
      ),
    [text],
  )
  return pieces
    .filter((piece) => piece !== '')
    .map((piece) => (typeof piece === 'string' ? quote(piece) : piece.sql))
    .join(' || ')
}

type Column = { name: string; type: string; value: string | null }

const columnsOf = async (url: string, table: string, where: string): Promise<Column[][]> => {
  const columns = await query<{ name: string; type: string }>(
    url,
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  )
  const list = columns.map(({ name }) => `"${name}"::text`).join(', ')
  const rows = await query<Record<string, string | null>>(url, `select ${list} from ${table} where ${where}`)
  return rows.map((row) => columns.map(({ name, type }) => ({ name, type, value: row[name] ?? null })))
}

type Given = Column & { value: string }
const isGiven = (column: Column): column is Given => column.value !== null
const typedValue = ({ type, value }: Column, parts: Parts): string =>
  value === null ? `null::${type}` : `(${expressionOf(value, parts) || "''"})::${type}`

/**
 * The INSERT statement that writes rows like those selected, with the changing parts of their values computed. One
 * statement, as the books want it of the postings of a transfer; columns that no row fills are left out. `from` is where
 * the expressions of the parts look for their columns.
 */
export const insertLike = async (
  url: string,
  table: string,
  where: string,
  parts: Parts,
  from = '',
): Promise<string> => {
  const rows = await columnsOf(url, table, where)
  const [first] = rows
  if (first === undefined) throw new Error(`${table} has no row where ${where}`)
  const filled = new Set(
    rows
      .flat()
      .filter(isGiven)
      .map(({ name }) => name),
  )
  const filledOf = (row: Column[]) => row.filter(({ name }) => filled.has(name))
  const names = filledOf(first)
    .map(({ name }) => `"${name}"`)
    .join(', ')
  const selects = rows.map((row) => {
    const values = filledOf(row)
      .map((column) => typedValue(column, parts))
      .join(', ')
    return `select ${values} ${from}`
  })
  return `insert into ${table} (${names}) ${selects.join(' union all ')};`
}

/** What an update has changed of one row, as the assignments that change it again. */
export const assignmentsLike = async (
  before: { url: string; where: string },
  after: { url: string; where: string },
  table: string,
  parts: Parts,
): Promise<string> => {
  const [[old = []], [now = []]] = await Promise.all([
    columnsOf(before.url, table, before.where),
    columnsOf(after.url, table, after.where),
  ])
  return now
    .filter(isGiven)
    .filter(({ name, value }) => old.find((column) => column.name === name)?.value !== value)
    .map((column) => `"${column.name}" = ${typedValue(column, parts)}`)
    .join(', ')
}
