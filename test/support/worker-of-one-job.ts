import { pino } from 'pino'
import { createMovableClock } from '../../src/clock.ts'
import { compose } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { PACE, startWorker } from '../../src/jobs/loop.ts'

// A process of its own, so that a test can kill it in the middle of a job. It says so when it is there. Its leases are as
// long as it is told, in milliseconds.
const config = loadConfig()
const pool = createPool({ url: config.databaseUrl ?? '', max: 4, onError: () => undefined })
const logger = pino({ level: 'silent' })
const services = compose({ config, database: createDatabase(pool), clock: createMovableClock(), logger })

const endless = {
  runOnce: () => {
    process.stdout.write('in the middle of it\n')
    return new Promise<number>(() => undefined)
  },
}

await startWorker({ ...services, jobs: { endless }, pace: { ...PACE, leaseMs: Number(process.argv[2]) } })
