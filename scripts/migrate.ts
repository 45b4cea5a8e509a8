import { loadConfig } from '../src/config.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

const { databaseUrl, dataDir } = loadConfig(process.env)
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

// A running server's own Postgres is joined; otherwise it is started for as long as the migration takes.
const running = databaseUrl ?? (await findEmbeddedPostgres(dataDir))
const embedded = running === undefined ? await startEmbeddedPostgres({ dataDir, log }) : undefined
try {
  await migrate(running ?? embedded?.url ?? '')
  console.log('The database is up to date.')
} finally {
  await embedded?.stop()
}
