import { loadConfig } from '../src/config.ts'
import { createDatabase, createPool } from '../src/db/client.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts'
import { repairFigures, verifyFigures } from '../src/figures/verify-figures.ts'

const { databaseUrl, dataDir } = loadConfig(process.env)
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

// A running server's own Postgres is joined; otherwise it is started for as long as this takes.
const running = databaseUrl ?? (await findEmbeddedPostgres(dataDir))
const embedded = running === undefined ? await startEmbeddedPostgres({ dataDir, log }) : undefined
const pool = createPool({
  url: running ?? embedded?.url ?? '',
  max: 1,
  onError: (error) => console.error(error.message),
})
try {
  const database = createDatabase(pool)
  if (process.argv.includes('--repair')) console.log(`${await repairFigures(database)} sums were put right.`)
  const findings = await verifyFigures(database)
  for (const { subject, sellerId, day, dimensions, detail } of findings) {
    console.error(`${subject} of seller ${sellerId} on ${day} (${dimensions.join(', ')}): ${detail}`)
  }
  if (findings.length === 0) console.log('The figures are proven: every sum is what counting its rows gives.')
  else process.exitCode = 1
} finally {
  await pool.end()
  await embedded?.stop()
}
