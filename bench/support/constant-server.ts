import { buildApp } from '../../src/app.ts'
import { createMovableClock } from '../../src/clock.ts'
import { compose } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { createLogger } from '../../src/logging/logger.ts'
import { firstRun } from '../../src/start/first-run.ts'
import { openDatabase } from '../../src/start/open-database.ts'

// The platform's own server with one more operation, which looks nothing up: what a read may cost at most is measured
// against it.
const CONSTANT = { id: '01a1ff9a-818b-703e-b393-000000000001', text: 'a constant as long as a payment '.repeat(28) }

const config = loadConfig()
const logger = createLogger(config)
const { database, close } = await openDatabase(config, logger)
const services = compose({ config, database, clock: createMovableClock(), logger })
await firstRun(services, config)
const app = await buildApp({ config, services, logger })
app.get(
  '/api/v1/constant',
  { config: { access: ['seller:viewer'], scope: 'interactive' }, schema: { hide: true } },
  async () => CONSTANT,
)
process.once('SIGTERM', () => {
  void app
    .close()
    .then(close)
    .then(() => process.exit(0))
})
logger.info(`the API is at ${await app.listen({ port: config.port, host: config.host })}/api/v1`)
