import type { ClientBase } from 'pg'

/** What stands in each column, as SQL. */
export type Columns = Readonly<Record<string, string>>

// What stands in a column that must have a value and that nothing here is about.
const FILLERS: Columns = {
  bigint: '0',
  boolean: 'false',
  integer: '0',
  jsonb: "'{}'",
  numeric: '0',
  text: "''",
  ARRAY: "'{}'",
  'timestamp with time zone': 'now()',
  uuid: "'00000000-0000-7000-8000-000000000001'::uuid",
}

/** The statement that inserts rows; columns that must have a value and are not told get one of their type. */
export const insertStatement = async (
  client: ClientBase,
  table: string,
  told: Columns,
  from: string,
): Promise<string> => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_nullable = 'NO' and column_default is null`,
    [table],
  )
  const columns = { ...Object.fromEntries(rows.map(({ name, type }) => [name, FILLERS[type] ?? "''"])), ...told }
  return `insert into ${table} (${Object.keys(columns)}) select ${Object.values(columns)} from ${from}`
}
