import { pino } from 'pino'
import { createMovableClock } from '../../src/clock.ts'
import { compose } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'

// A process of its own that sends what is due once, so that a test can kill it in the middle of a mail.
const config = loadConfig()
const pool = createPool({ url: config.databaseUrl ?? '', max: 4, onError: () => undefined })
const logger = pino({ level: 'silent' })
const services = compose({ config, database: createDatabase(pool), clock: createMovableClock(), logger })
await services.jobs.sendMails.runOnce()
process.stdout.write('done\n')
services.closeMail()
await pool.end()
