import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config.ts'
import { createDatabase, createPool } from '../src/db/client.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts'
import { proveAnchor, proveChain } from '../src/ledger/chain-proof.ts'
import { chainKey } from '../src/ledger/chain-seal.ts'
import { proveLedger } from '../src/ledger/ledger-proof.ts'

const { databaseUrl, dataDir, encryptionKey } = loadConfig(process.env)
// --anchor <time>=<hash>, as the log of a nightly proof says them: may be given several times.
const { values } = parseArgs({ options: { anchor: { type: 'string', multiple: true, default: [] } } })
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

// A running server's own Postgres is joined; otherwise it is started for as long as the proof takes.
const running = databaseUrl ?? (await findEmbeddedPostgres(dataDir))
const embedded = running === undefined ? await startEmbeddedPostgres({ dataDir, log }) : undefined
const pool = createPool({
  url: running ?? embedded?.url ?? '',
  max: 1,
  onError: (error) => console.error(error.message),
})
try {
  const database = createDatabase(pool)
  const findings = [
    ...(await proveLedger(database)),
    ...(await proveChain(database, chainKey(encryptionKey))),
    ...(await Promise.all(values.anchor.map((anchor) => proveAnchor(database, anchor)))).flat(),
  ]
  for (const { check, sellerId, subject, detail } of findings) {
    console.error(`${check}: seller ${sellerId}, ${subject}: ${detail}`)
  }
  if (findings.length === 0)
    console.log('The ledger is proven: every transfer, balance, statement, bucket and seal agrees.')
  else process.exitCode = 1
} finally {
  await pool.end()
  await embedded?.stop()
}
