import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { repairDailyTotals } from '../../src/daily-totals/daily-totals.verify.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { COMMAND_LIMITS } from '../../src/db/limits.ts'
import { type BulkTable, type Columns, TABLES } from './bulk-rows.ts'

/** Rows of each big table. */
export const BULK_ROWS = 50_000

/** Who owns what: `main` 60 % of every table, `second` 20 %, many small sellers the rest. */
export type BulkOwners = { main: string; second: string; mainWebhook: string; secondWebhook: string; admin: string }

// Every text of a row holds `tag(i)`, which no other row has, and a word that all rows have.
const FUNCTIONS = [
  `create function pg_temp.at(i int) returns timestamptz stable language sql as
    $$ select timestamptz '2026-01-05T00:00:00Z' + i * interval '80 seconds' $$`,
  // The id of row i of a kind: a UUIDv7 of the time of the row.
  `create function pg_temp.id(kind int, i int) returns uuid stable language sql as $$
    select (lpad(to_hex((extract(epoch from pg_temp.at(i)) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
      || '8' || lpad(to_hex(i), 15, '0'))::uuid $$`,
  `create function pg_temp.seller(i int) returns uuid stable language sql as $$
    select case when i % 10 < 6 then current_setting('bulk.main')::uuid
      when i % 10 < 8 then current_setting('bulk.second')::uuid else pg_temp.id(1, i % current_setting('bulk.sellers')::int * 10 + 1) end $$`,
  `create function pg_temp.tag(i int) returns text stable language sql as
    $$ select substr(md5(i::text), 1, 12) $$`,
  // Most rows have the first value, every tenth the second and every thousandth one of the others.
  `create function pg_temp.pick(i int, variadic "values" text[]) returns text stable language sql as $$
    select case when i % 1000 = 7 then "values"[3 + i / 1000 % (cardinality("values") - 2)]
      when i % 10 in (3, 6, 9) and i / 10 % 3 = 0 then "values"[2] else "values"[1] end $$`,
]

/** The tables that `fillInBulk` makes big. */
export const BIG_TABLES: ReadonlySet<string> = new Set(TABLES.map(([table]) => table))

// Building an index once costs a fraction of adding all entries to it.
const withoutIndexes = async (client: PoolClient, table: string, work: () => Promise<unknown>): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition from pg_index i
     join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = c.oid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await client.query(definition)
}

// Two lanes: the server has at least two cores, and a filling keeps one busy.
const LANES = 2

// What stands in a column that must have a value and that no list looks at.
const FILLERS: Record<string, string> = {
  bigint: '0',
  boolean: 'false',
  integer: '0',
  jsonb: "'{}'",
  numeric: '0',
  smallint: '0',
  text: "'text'",
  'timestamp with time zone': 'pg_temp.at(i)',
  uuid: 'pg_temp.id(0, i)',
}

const fillerOf = (name: string, type: string): string => {
  if (name.endsWith('email')) return "'maria@example.com'"
  return name === 'website' || name === 'url' ? "'https://example.com/'" : (FILLERS[type] ?? "'{}'")
}

const withFillers = async (client: PoolClient, table: string, columns: Columns): Promise<Columns> => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_nullable = 'NO' and column_default is null`,
    [table],
  )
  const fillers = rows.map(({ name, type }) => [name, fillerOf(name, type)] as const)
  return { ...Object.fromEntries(fillers), ...columns }
}

/** Which rows: `rows` of each table from row `from` on. */
type Range = { from: number; rows: number }

const fillTable = async (client: PoolClient, [table, told, factor = 1]: BulkTable, { from, rows }: Range) => {
  const columns = await withFillers(client, table, told)
  // An automatic analysis under way would keep the rows that come meanwhile out of the map of what everyone sees.
  const { rows: parts } = await client.query<{ name: string }>(
    'select relid::text as name from pg_partition_tree($1::regclass) where isleaf',
    [table],
  )
  for (const { name } of parts) await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
  const insert = () =>
    client.query(`insert into ${table} (${Object.keys(columns)})
      select ${Object.values(columns)} from generate_series(${from * factor}, ${(from + rows) * factor - 1}) as i`)
  await (rows < BULK_ROWS ? insert() : withoutIndexes(client, table, insert))
}

const fillLane = async (pool: Pool, owners: BulkOwners, tables: Iterable<BulkTable>, range: Range): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '256MB'")
    for (const [name, value] of Object.entries({ ...owners, sellers: String(Math.min(1_000, range.rows / 10)) })) {
      await client.query('select set_config($1, $2, false)', [`bulk.${name}`, value])
    }
    for (const text of FUNCTIONS) await client.query(text)
    for (const table of tables) await fillTable(client, table, range)
  } finally {
    client.release(true)
  }
}

/**
 * Fills every list's table with rows as they would be after years: a multitude of sellers, ids and times in order.
 * Triggers and foreign keys sleep meanwhile; the rows keep to the ledger's balance all the same.
 */
export const fillInBulk = async (
  { options }: Pool,
  owners: BulkOwners,
  range: Range = { from: 0, rows: BULK_ROWS },
): Promise<void> => {
  const url = String(options.connectionString)
  const pool = createPool({ url, max: LANES, limits: COMMAND_LIMITS, onError: () => undefined })
  try {
    const waiting = TABLES.values()
    await Promise.all(Array.from({ length: LANES }, () => fillLane(pool, owners, waiting, range)))
    // Nothing has counted them yet.
    await repairDailyTotals(createDatabase(pool))
    // The map of what everyone sees is what lets an index answer alone; autovacuum keeps it up in production. Only after
    // all lanes: what one of them has yet to commit keeps the rows of the others out of it.
    if (range.rows >= BULK_ROWS)
      await pool.query(`vacuum (analyze) daily_totals, daily_revenue, daily_total_changes, ${[...BIG_TABLES]}`)
  } finally {
    await pool.end()
  }
}

/** The text that only row `i` of a bulk table holds: something to search for. */
export const bulkTag = (i: number): string => createHash('md5').update(String(i)).digest('hex').slice(0, 12)

/** The time of row `i` of every bulk table. */
export const bulkTime = (i: number): string => new Date(Date.UTC(2026, 0, 5) + i * 80_000).toISOString()
