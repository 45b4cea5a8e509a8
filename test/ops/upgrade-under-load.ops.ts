import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { RELEASED_ROWS_FOLDER } from '../../scripts/released-schema.ts'
import { createDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/db/schema-files.ts'
import { startWorker } from '../../src/jobs/loop.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { startTestApp } from '../support/app.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { sellingSeller } from '../support/payments.ts'
import { unpackRows } from '../support/table-rows.ts'
import { until } from '../support/until.ts'
import { outcomes, startLoad } from './load.ts'

const BASELINE = '20261122120000_baseline'
const REQUEST_MS_MAX = 2_000

const WRITTEN_BY_ALL = ['users', 'events', 'ledger_accounts', 'payments', 'idempotency_keys', 'jobs', 'provider_events']

// What a next release may do to the tables that everybody writes: a column each, a rule for rows to come, and an index over
// all rows that there are.
const NEXT_RELEASE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    WRITTEN_BY_ALL.map((table) => [`29990101000000_${table}`, `alter table ${table} add column of_next_release text;`]),
  ),
  '29990102000000_rule': `alter table payments add constraint payments_of_next_release_ck check (of_next_release <> '') not valid;
    --> statement-breakpoint
    alter table payments validate constraint payments_of_next_release_ck;`,
  '29990103000000_index': `-- Transaction: none
    create index concurrently if not exists payments_of_next_release_ix on payments (of_next_release);`,
}

/** The history up to a migration, with others behind it. */
const historyOf = async (newest: string, added: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] }
  const kept = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === newest) + 1)
  const entries = [...kept, ...Object.keys(added).map((tag) => ({ tag }))]
  await writeFile(path, JSON.stringify({ ...journal, entries }))
  for (const [tag, text] of Object.entries(added)) await writeFile(join(folder, `${tag}.sql`), text)
  return folder
}

test('while the next release changes the tables of the first no request fails or takes two seconds', {
  timeout: 120_000,
}, async () => {
  const database = await createEmptyDatabase()
  const [baseline, next] = [
    await historyOf(BASELINE),
    await historyOf(readMigrations().at(-1)?.name ?? '', NEXT_RELEASE),
  ]
  onTestFinished(() =>
    Promise.all([baseline, next].map((folder) => rm(folder, { recursive: true }))).then(() => undefined),
  )
  await migrate(database.url, baseline)
  const pool = new Pool({ connectionString: database.url })
  await unpackRows(pool, await readFile(join(RELEASED_ROWS_FOLDER, `${BASELINE}.jsonl.gz`)))
  await pool.end()
  // Four that start at once: two that serve and two that run jobs.
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)))
  const kept = { url: database.url, drop: async () => undefined }
  const [first, second] = [await startTestApp({}, kept), await startTestApp({}, database)]
  const workers = [await startWorker(first.services), await startWorker(second.services)]
  const seller = await sellingSeller(first)

  const load = startLoad({ urls: [first.url, second.url], token: seller.token, callers: 4, pauseMs: 20 })
  await until('payments are made', () => load.attempts.length > 50, 30_000)
  const before = load.attempts.length
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, next)))
  await until('payments go on', () => load.attempts.length > before + 50, 30_000)
  const attempts = await load.stop()

  const failed = attempts.filter(({ status }) => status !== 201)
  expect(outcomes(attempts), JSON.stringify(failed.slice(0, 3))).toEqual({ 201: attempts.length })
  expect(Math.max(...attempts.map(({ ms }) => ms))).toBeLessThan(REQUEST_MS_MAX)
  const { rows } = await first.sql.query('select max(name) as newest from schema_migrations')
  expect(rows).toEqual([{ newest: Object.keys(NEXT_RELEASE).at(-1) }])
  expect(await proveLedger(createDatabase(first.sql))).toEqual([])
  await Promise.all(workers.map((worker) => worker.stop()))
  await first.close()
  await second.close()
})
