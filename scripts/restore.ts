import { restore } from '../src/db/embedded/backup.ts'
import { explain } from '../src/start/run-command.ts'
import { StartError } from '../src/start/start-error.ts'

const [backup, dataDir, ...rest] = process.argv.slice(2)

await explain(async () => {
  if (backup === undefined || dataDir === undefined || rest.length > 0) {
    throw new StartError('Usage: npm run restore -- /backups/2026-11-23 /srv/platform-data')
  }
  const takenAt = await restore(backup, dataDir)
  console.log(`${dataDir} is the platform as it was at ${takenAt}. Prove its books before it serves anybody:`)
  console.log(`DATA_DIR=${dataDir} npm run ledger:verify`)
})
