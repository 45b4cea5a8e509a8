import type { TestApp } from './app.ts'
import { until } from './until.ts'

/** How many statements of this database wait for a lock right now. */
export const waitingForLocks = async (app: TestApp): Promise<number> => {
  const { rows } = await app.sql.query<{ waiting: string }>(
    "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return Number(rows[0]?.waiting)
}

/** Holds a row until all calls wait for it in the database, then lets them go at once. */
export const race = async <Result>(
  app: TestApp,
  { table, id }: { table: 'users' | 'companies' | 'reserve_holds' | 'reserve_configs'; id: string },
  calls: readonly (() => Promise<Result>)[],
): Promise<Result[]> => {
  const holder = await app.sql.connect()
  try {
    await holder.query('begin')
    await holder.query(`select 1 from ${table} where id = $1 for update`, [id])
    const running = Promise.all(calls.map((call) => call()))
    await until('every call waits for the lock', async () => (await waitingForLocks(app)) >= calls.length)
    await holder.query('commit')
    return await running
  } finally {
    holder.release()
  }
}
