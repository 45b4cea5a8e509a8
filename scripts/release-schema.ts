import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrations, readSqlFiles } from '../src/db/schema-files.ts'
import { runModel } from '../test/model/run.ts'
import { startTestServer } from '../test/support/postgres-server.ts'
import { packRows } from '../test/support/table-rows.ts'
import { RELEASED_FILE, RELEASED_ROWS_FOLDER, type ReleasedSchema } from './released-schema.ts'

// Says that the schema as it stands is released: from here on migrations are only added, and a file of SQL that changes gets a
// higher version. Beside that, a small platform that this schema holds is kept, for the test that upgrades it.

const STEPS = 160
const SELLERS = 4

const migrations = readMigrations()
const newest = migrations.at(-1)?.name ?? ''
const server = await startTestServer()
try {
  await mkdir(RELEASED_ROWS_FOLDER, { recursive: true })
  const { failure } = await runModel({
    adminUrl: server.adminUrl,
    seed: newest,
    steps: STEPS,
    sellers: SELLERS,
    onPlayed: async (pool) => writeFile(join(RELEASED_ROWS_FOLDER, `${newest}.jsonl.gz`), await packRows(pool)),
  })
  if (failure !== undefined) throw new Error(failure)
} finally {
  await server.stop()
}
const released: ReleasedSchema = {
  migrations: Object.fromEntries(migrations.map(({ name, hash }) => [name, hash])),
  sqlFiles: Object.fromEntries(readSqlFiles().map(({ path, version, hash }) => [path, { version, hash }])),
}
await writeFile(RELEASED_FILE, `${JSON.stringify(released, null, 2)}\n`)
console.log(`The schema is released up to ${newest}.`)
