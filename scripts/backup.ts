import { backUp } from '../src/db/embedded/backup.ts'
import { hadCluster } from '../src/db/embedded.ts'
import { runCommand, withServer } from '../src/start/run-command.ts'
import { StartError } from '../src/start/start-error.ts'

const [target, ...rest] = process.argv.slice(2)

await runCommand(async (config) => {
  if (target === undefined || rest.length > 0) throw new StartError('Usage: npm run backup -- /backups/2026-11-23')
  if (config.databaseUrl !== undefined) {
    throw new StartError(
      'npm run backup is for the embedded Postgres. The one of DATABASE_URL has tools of its own: docs/operations.md, Backup.',
    )
  }
  if (!(await hadCluster(config.dataDir)))
    throw new StartError(`There is no platform in ${config.dataDir}: set DATA_DIR.`)
  await withServer(config, ({ url }) => backUp({ url, dataDir: config.dataDir, target }))
  console.log(`${target} is a backup of ${config.dataDir}: database, documents and secrets. Keep it as you keep those.`)
})
