import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import type { MovableClock } from '../../src/clock.ts'
import { compose } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { verifyDailyTotals } from '../../src/daily-totals/daily-totals.verify.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { JobName } from '../../src/jobs/schedule.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { verifyEverybody } from '../support/verified-people.ts'
import { EPOCH_MS } from './calendar.ts'

export type Mortal = {
  /** How often it was killed. */
  count(): number
  /** Kills it this many milliseconds from now, whatever it is doing then. */
  killSoon(ms: number): void
  /** A connection broke: settles when the platform answers again. */
  revive(): Promise<void>
  /** Settles when no kill is under way. Answers whether there was one since the last time. */
  quiet(): Promise<boolean>
}

/** A platform that a run plays on, with a database of its own. */
export type Platform = {
  url: () => string
  /** The clock stands still between steps, so that the model knows every moment. */
  isExact: boolean
  /** Waits until every callback that was answered has been worked on. Answers for how many hours the clock had to be moved. */
  settle(): Promise<number>
  /** Where it can be killed: how, and how it comes back. */
  mortal?: Mortal
  /** Runs these jobs until nothing is due. Absent where the platform is killed. */
  runJobs?: (names: readonly JobName[]) => Promise<void>
  /** The platform's own database, for what no answer shows: every account of every book. */
  pool: Pool
  /** What is wrong with the books and with the totals beside them. */
  prove(): Promise<object[]>
  close(): Promise<void>
}

export const ENCRYPTION_KEY = 'a-key-that-only-the-tests-use-0123456789abc'
export const ADMIN = { email: 'admin@example.com', password: 'a long administrator password' }

const ENVIRONMENT = {
  NODE_ENV: 'test',
  JWT_SECRET: 'a-secret-that-only-the-tests-use-0123456789',
  ENCRYPTION_KEY,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'silent',
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '10000000',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '10000000',
  RATE_LIMIT_TIGHT_PER_MINUTE: '10000000',
  RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: '1000000',
}

/** The environment of a platform of a run on a database. */
export const environmentOf = (databaseUrl: string, dataDir: string): Record<string, string> => ({
  ...ENVIRONMENT,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
})

/** A migrated database whose platform's clock stands at the beginning of the run. */
export const createRunDatabase = async (adminUrl: string) => {
  const name = `run_${randomBytes(8).toString('hex')}`
  const administer = async (statement: string): Promise<void> => {
    const admin = new Client({ connectionString: adminUrl })
    await admin.connect()
    await admin.query(statement).finally(() => admin.end())
  }
  await administer(`create database ${name} template template0`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  await migrate(url.href)
  const pool = new Pool({ connectionString: url.href, max: 8 })
  pool.on('error', () => undefined)
  await verifyEverybody(pool)
  await pool.query('insert into platform_clock (id, offset_ms) values (1, $1)', [EPOCH_MS - Date.now()])
  const drop = async (): Promise<void> => {
    await pool.end()
    await administer(`drop database if exists ${name} with (force)`)
  }
  return { url: url.href, pool, drop }
}

const MINUTE_MS = 60_000

/** Stands still at a whole minute until it is moved, so that a run has the same moments however fast it goes. */
export const createStandingClock = (startsAtMs = EPOCH_MS): MovableClock => {
  let now = startsAtMs
  return {
    now: () => new Date(now),
    offsetMs: () => now - Date.now(),
    setOffsetMs: (offsetMs) => {
      now = Math.max(now, Math.round((Date.now() + offsetMs) / MINUTE_MS) * MINUTE_MS)
    },
  }
}

/** The platform within this process, behind a real server. Jobs run only when the clock is moved. */
export const startInProcess = async (
  databaseUrl: string,
  dataDir: string,
  clock: MovableClock,
  environment: Record<string, string> = {},
) => {
  const config = loadConfig({ ...environmentOf(databaseUrl, dataDir), ...environment })
  const pool = createPool({ url: databaseUrl, max: 20, onError: () => undefined })
  const logger = pino({ level: config.logLevel })
  const services = compose({ config, database: createDatabase(pool), clock, logger })
  await services.authentication.ensureFirstAdmin(config.admin)
  await services.ensureDefaultFees()
  const app = await buildApp({ config, services, logger })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, app, services, pool }
}

/** Proves every book, and every total by counting its rows. */
export const proveAll = async (pool: Pool): Promise<object[]> => {
  const database = createDatabase(pool)
  return [...(await proveLedger(database)), ...(await verifyDailyTotals(database))]
}

/** A platform within this process that lives as long as its run. */
export const startPlatform = async (adminUrl: string): Promise<Platform> => {
  const database = await createRunDatabase(adminUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-model-'))
  const { url, app, services, pool } = await startInProcess(database.url, dataDir, createStandingClock())
  return {
    url: () => url,
    isExact: true,
    settle: async () => {
      await services.providerEvents.idle()
      return 0
    },
    runJobs: async (names) => {
      for (const name of names) while ((await services.jobs[name].runOnce()) > 0);
    },
    pool: database.pool,
    prove: () => proveAll(database.pool),
    async close() {
      await app.close()
      await pool.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
