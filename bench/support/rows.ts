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
        typeof piece === 'string' ? piece.split(part).flatMap((rest, index) => (index === 0 ? [rest] : [{ sql }, rest])) : [piece],
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

/** INSERT statements that write rows like those selected, with the changing parts of their values computed. */
export const insertsLike = async (url: string, table: string, where: string, parts: Parts): Promise<string[]> => {
  const rows = await columnsOf(url, table, where)
  if (rows.length === 0) throw new Error(`${table} has no row where ${where}`)
  return rows.map((row) => {
    const given = row.filter(({ value }) => value !== null)
    const names = given.map(({ name }) => `"${name}"`).join(', ')
    const values = given.map(({ type, value }) => `(${expressionOf(value ?? '', parts) || "''"})::${type}`).join(', ')
    return `insert into ${table} (${names}) values (${values});`
  })
}
