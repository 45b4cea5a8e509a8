import { migrate } from '../src/db/migrate.ts'
import { runCommand, withServer } from '../src/start/run-command.ts'

await runCommand((config) =>
  withServer(config, async ({ url }) => {
    await migrate(url)
    console.log('The database is up to date.')
  }),
)
