import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { repairDailyTotals } from '../src/daily-totals/daily-totals.verify.ts'
import { createDatabase, createPool } from '../src/db/client.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { COMMAND_LIMITS } from '../src/db/limits.ts'
import { migrate } from '../src/db/migrate.ts'
import { CARRY_BALANCES, DAYS, functionsOf, type Plan, PREPARE_DAY, SELLERS } from './generator/day.ts'
import { insertStatement } from './generator/insert.ts'
import { TABLES } from './generator/tables.ts'
import { startPlatform } from './support/platform.ts'
import { openShops } from './support/shops.ts'

/**
 * Fills an empty database with a year of payments of a thousand sellers, and everything that a payment leaves behind:
 * settlements, reserves, refunds, disputes, withdrawals, the ledger, callbacks, and of the last month events and
 * webhooks. The same number of payments always makes the same rows, but for their time: the last one is made now.
 */
export const generatePayments = async (
  url: string,
  payments: number,
  log: (line: string) => void = () => undefined,
) => {
  const began = performance.now()
  const say = (what: string) => log(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${what}`)
  await migrate(url)
  const platform = await startPlatform({ environment: { DATABASE_URL: url, PROCESS_ROLE: 'api' } })
  await openShops(platform, url, SELLERS)
  await platform.stop()
  say(`${SELLERS} sellers`)
  const indexes = await dropIndexes(url)
  const plan = { payments, untilMs: Date.now() }
  await Promise.all([0, 1].map((half) => runHalf(url, plan, half, say)))
  await countEverything(url)
  say('totals')
  for (const definition of indexes) await withClient(url, (client) => client.query(definition))
  say(`${indexes.length} indexes`)
  await withClient(url, (client) => client.query('vacuum (analyze)'))
  say('everything is there')
}

const withClient = async <Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      "set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off; set jit = off",
    )
    return await work(client)
  } finally {
    await client.end()
  }
}

// Rows that were written past the platform are counted as the operator of a database would have them counted.
const countEverything = async (url: string): Promise<void> => {
  const pool = createPool({ url, max: 1, limits: COMMAND_LIMITS, onError: (error) => console.error(error.message) })
  await repairDailyTotals(createDatabase(pool)).finally(() => pool.end())
}

// Building an index once costs a fraction of adding millions of entries to it. Those of constraints stay.
const dropIndexes = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition from pg_index i
       join pg_class c on c.oid = i.indexrelid
       where i.indrelid = any($1::regclass[]) and c.relkind = 'i' and not exists (select from pg_constraint where conindid = c.oid)`,
      [TABLES.map(({ table }) => table)],
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    return rows.map(({ definition }) => definition)
  })

const CUSTOMERS = {
  from: `generate_series(1, ${SELLERS}) as number cross join lateral generate_series(0, pg_temp.customers_of(number) - 1) as n
    where (number = 1 or number % 7 < 2) = ($1::int = 1)`,
  columns: {
    seller_id: 'pg_temp.seller(number)',
    id: 'pg_temp.customer(number, n)',
    name: "'Cliente ' || n",
    email: "'cliente' || n || '@example.com'",
    document: "lpad(n::text, 11, '0')",
    document_type: "'cpf'",
    created_at: 'pg_temp.at(pg_temp.day(-1) + n)',
    updated_at: 'pg_temp.at(pg_temp.day(-1) + n)',
  },
}

const WEBHOOKS = {
  from: `generate_series(1, ${SELLERS}, 2) as number where $1::int = 1`,
  columns: {
    seller_id: 'pg_temp.seller(number)',
    id: 'pg_temp.seller(number)',
    url: "'https://example.com/hooks'",
    events: "'{*}'",
    status: "'enabled'",
    created_at: 'pg_temp.at(pg_temp.day(0))',
    updated_at: 'pg_temp.at(pg_temp.day(0))',
  },
}

const insertPeople = async (client: Client, half: number): Promise<void> => {
  for (const [table, { columns, from }] of Object.entries({ customers: CUSTOMERS, seller_webhooks: WEBHOOKS })) {
    await client.query(await insertStatement(client, table, columns, from), [half])
  }
}

const closeBooks = async (client: Client): Promise<void> => {
  await client.query(`update ledger_accounts set balance_amount = balance from balances
    where balances.seller_id = ledger_accounts.seller_id and balances.account = ledger_accounts.account`)
  await client.query(`update ledger_accounts set last_posting_id = latest from (
      select seller_id, max(last_id)::uuid as latest from balances group by seller_id
    ) as last where last.seller_id = ledger_accounts.seller_id and account = 'available'`)
}

const runHalf = (url: string, plan: Plan, half: number, say: (what: string) => void): Promise<void> =>
  withClient(url, async (client) => {
    await client.query("set session_replication_role = replica; set temp_buffers = '128MB'")
    for (const text of functionsOf(plan)) await client.query(text)
    await insertPeople(client, half)
    const inserts: string[] = []
    for (const { table, columns, from } of TABLES) inserts.push(await insertStatement(client, table, columns, from))
    for (let day = 0; day < DAYS; day += 1) {
      await runDay(client, inserts, day, half)
      say(`half ${half}: day ${day + 1} of ${DAYS}`)
    }
    await closeBooks(client)
  })

// Parameters have to be of one type in all statements, and each statement has to use them.
const bound = (statement: string, day: number, half: number): string =>
  statement.replaceAll('$1', `${day}`).replaceAll('$2', `${half}`)

const runDay = async (client: Client, inserts: readonly string[], day: number, half: number): Promise<void> => {
  for (const statement of PREPARE_DAY) await client.query(bound(statement, day, half))
  await client.query('begin')
  for (const statement of inserts) await client.query(bound(statement, day, half))
  await client.query(CARRY_BALANCES)
  await client.query('commit')
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '1000000' },
      database: { type: 'string' },
      data: { type: 'string' },
    },
  })
  const payments = Number(values.payments)
  if (!Number.isSafeInteger(payments) || payments < 1_000) throw new Error('--payments takes a number from 1000 on')
  const server =
    values.data === undefined
      ? undefined
      : await startEmbeddedPostgres({
          dataDir: values.data,
          log: { info: () => undefined, error: console.error },
          settings: {
            fsync: 'off',
            full_page_writes: 'off',
            shared_buffers: '2GB',
            max_wal_size: '16GB',
            checkpoint_timeout: '30min',
          },
        })
  const url = values.database ?? server?.url
  if (url === undefined) throw new Error('--database takes the address of an empty database, --data a folder for one')
  try {
    await generatePayments(url, payments, console.log)
  } finally {
    await server?.stop()
  }
}

if (import.meta.main) await main()
