import { gunzipSync, gzipSync } from 'node:zlib'
import type { Pool } from 'pg'

type TableRows = { table: string; rows: object[] }

// What a migration writes about itself is not data. Parts of a table are read and written through it.
const DATA_TABLES = `
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname !~ '^schema_' order by 1`

/** Every row of a database, packed. */
export const packRows = async (pool: Pool): Promise<Buffer> => {
  const { rows: tables } = await pool.query<{ name: string }>(DATA_TABLES)
  const lines: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ rows: object[] | null }>(`select json_agg(t) as rows from ${name} t`)
    const one: TableRows = { table: name, rows: rows[0]?.rows ?? [] }
    if (one.rows.length > 0) lines.push(JSON.stringify(one))
  }
  return gzipSync(lines.join('\n'), { level: 9 })
}

/** Puts packed rows into a database that has their tables, as restoring a backup does: triggers do not look at them. */
export const unpackRows = async (pool: Pool, packed: Buffer): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const line of gunzipSync(packed).toString().split('\n')) {
      const { table, rows } = JSON.parse(line) as TableRows
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ])
    }
  } finally {
    client.release(true)
  }
}
