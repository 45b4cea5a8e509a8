import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase, createPool } from '../src/db/client.ts'
import { proveLedger } from '../src/ledger/ledger-proof.ts'
import { measureConfirmation } from './confirm-payments.ts'
import { measureCreation } from './create-payments.ts'
import { measureHotSeller } from './hot-seller.ts'
import { measurePix } from './pix-load.ts'
import { measureReads } from './read-payments.ts'
import { measureSeveralProcesses } from './several-processes.ts'
import { measureStart } from './start-and-memory.ts'
import { type Bench, openBench } from './support/bench.ts'
import { holds, type Row, tableOf } from './support/table.ts'

/**
 * Measures the platform on this machine, each figure against its own limit in the same run, and proves the books at the
 * end. Needs pgbench and wrk.
 *
 *   npm run bench [-- --quick] [--only <part of a name>] [--json <file>]
 */
const MEASUREMENTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  start: measureStart,
  create: measureCreation,
  confirm: measureConfirmation,
  hot: measureHotSeller,
  reads: measureReads,
  pix: measurePix,
  processes: measureSeveralProcesses,
}

const findingsOf = async (url: string): Promise<number> => {
  const pool = createPool({ url, max: 1, onError: () => undefined })
  const findings = await proveLedger(createDatabase(pool))
  await pool.end()
  return findings.length
}

const proveAll = async (bench: Bench): Promise<Row> => {
  const databases = await bench.postgres.admin<{ datname: string }>(
    "select datname from pg_database where datname like 'bench%' and datname not like '%pgbench'",
  )
  let findings = 0
  for (const { datname } of databases) findings += await findingsOf(bench.postgres.urlOf(datname))
  return {
    name: 'faults of the ledger',
    measured: String(findings),
    compared: '',
    value: findings,
    bound: { atMost: 0 },
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'string', default: '.artifacts/bench.json' },
    },
  })
  const bench = await openBench(values)
  const rows: Row[] = []
  try {
    for (const [name, measure] of Object.entries(MEASUREMENTS)) {
      if (!name.includes(values.only)) continue
      bench.say(`== ${name}`)
      rows.push(...(await measure(bench)))
    }
    rows.push(await proveAll(bench))
  } finally {
    await bench.close()
  }
  await mkdir(dirname(values.json), { recursive: true })
  await writeFile(
    values.json,
    JSON.stringify(
      rows.map((row) => ({ ...row, holds: holds(row) })),
      undefined,
      2,
    ),
  )
  process.stdout.write(`${tableOf(rows)}\n`)
}

await main()
