import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { pino } from 'pino'
import { createMovableClock } from '../src/clock.ts'
import { compose } from '../src/compose.ts'
import { loadConfig } from '../src/config.ts'
import { createDatabase, createPool } from '../src/db/client.ts'
import { LONG_LIMITS } from '../src/db/limits.ts'
import { migrate } from '../src/db/migrate.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../src/domain/calendar.ts'
import { insertStatement } from './generator/insert.ts'
import { startPostgres } from './support/postgres.ts'

/**
 * How long a day of many lines takes to be compared with its provider, and how much memory:
 *
 *   node bench/reconcile-day.ts [--lines 1000000]
 *
 * The simulated acquirer has a line for each payment of the day, and ten of each of four faults.
 */
const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' } } })
const LINES = Number(values.lines)
const FAULTS_EACH = 10
const SELLERS = 1_000
const SAMPLE_MS = 100

const date = addDays(saoPauloDate(new Date()), -1)
const startMs = startOfSaoPauloDay(date).getTime()
const STEP_MS = 86_400_000 / LINES

const id = `('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid`
const seller = `('00000000-0000-7000-8000-' || lpad((n % ${SELLERS})::text, 12, '0'))::uuid`
const reference = `'00000000000070009000' || lpad(n::text, 12, '0')`
const endToEndId = `'E' || lpad(n::text, 31, '0')`
const at = `to_timestamp((${startMs} + n * ${STEP_MS}::float8) / 1000)`
const from = `generate_series(0, ${LINES - 1}) as n`

const TABLES = {
  payments: {
    ...{ seller_id: seller, id, method: "'pix'", status: "'paid'", amount: '10000', paid_amount: '10000' },
    ...{ provider: "'sandbox'", pix_end_to_end_id: endToEndId, paid_at: at, created_at: at, updated_at: at },
    installments: '1',
  },
  provider_references: { provider: "'sandbox'", kind: "'charge'", reference, seller_id: seller, resource_id: id },
  sandbox_records: {
    ...{ kind: "'charge'", reference, status: "'paid'", amount: '10000', end_to_end_id: endToEndId },
    ...{ created_at: at, updated_at: at },
  },
}

const first = (fault: number): string => {
  const [begin, end] = [fault * FAULTS_EACH, (fault + 1) * FAULTS_EACH]
  return `reference in (select ${reference} from generate_series(${begin}, ${end - 1}) as n)`
}

const COLUMNS = 'kind, reference, status, amount, end_to_end_id, created_at, updated_at'

const FAULTS = [
  `update sandbox_records set amount = 9999 where ${first(0)}`,
  `delete from sandbox_records where ${first(1)}`,
  `insert into sandbox_records (${COLUMNS}) select kind, 'twice' || reference, status, amount, end_to_end_id, created_at, updated_at
   from sandbox_records where ${first(2)}`,
  `insert into sandbox_records (${COLUMNS}) select 'payout', 'ghost' || reference, 'completed', 7, null, created_at, updated_at
   from sandbox_records where ${first(3)}`,
]

const fill = async (url: string): Promise<void> => {
  await migrate(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set session_replication_role = 'replica'; set synchronous_commit = off; set work_mem = '256MB'")
    for (const [table, columns] of Object.entries(TABLES)) {
      await client.query(await insertStatement(client, table, columns, from))
      console.log(`${LINES} rows of ${table}`)
    }
    for (const fault of FAULTS) await client.query(fault)
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

const residentMib = (): number => process.memoryUsage.rss() / 1_048_576

const withPeak = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  const before = residentMib()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib())
  }, SAMPLE_MS)
  await work().finally(() => clearInterval(timer))
  return { seconds: (performance.now() - began) / 1_000, before, peak: Math.max(peak, residentMib()) }
}

const measure = async (url: string, dataDir: string): Promise<void> => {
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'warn', PORT: '0', DATABASE_URL: url, DATA_DIR: dataDir }
  const secrets = {
    JWT_SECRET: 'a-secret-that-only-the-bench-uses-01234',
    ENCRYPTION_KEY: 'a-key-that-only-the-bench-uses-01234567',
  }
  const config = loadConfig({ ...environment, ...secrets })
  const pool = createPool({ url, max: 5, onError: () => undefined })
  const patient = createPool({ url, max: 5, limits: LONG_LIMITS, onError: () => undefined })
  const databases = { database: createDatabase(pool), patient: createDatabase(patient) }
  const services = compose({
    config,
    ...databases,
    clock: createMovableClock(),
    logger: pino({ level: config.logLevel }),
  })
  const job = services.jobs.reconcileProviders
  for (const run of ['first', 'again']) {
    const actor = { userId: '00000000-0000-7000-8000-000000000001', role: 'admin' }
    const day = await services.reconciliation.run(actor as never, { provider: 'sandbox', date })
    const { seconds, before, peak } = await withPeak(async () => {
      while ((await job.runOnce()) > 0);
    })
    const { matchedCount, exceptionCount, status } = await services.reconciliation.get(day.id)
    const memory = `resident memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most`
    console.log(`${run}: ${seconds.toFixed(1)} s, ${matchedCount} matched, ${exceptionCount} ${status}; ${memory}`)
  }
  await Promise.all([pool.end(), patient.end()])
}

const postgres = await startPostgres()
const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-bench-day-'))
try {
  await postgres.admin('create database bench_day')
  const url = postgres.urlOf('bench_day')
  await fill(url)
  await measure(url, dataDir)
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
