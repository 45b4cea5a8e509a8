import { createMovableClock } from '../src/clock.ts'
import { compose } from '../src/compose.ts'
import type { Config } from '../src/config.ts'
import { createLogger } from '../src/logging/logger.ts'
import { openDatabase } from '../src/start/open-database.ts'
import { runCommand } from '../src/start/run-command.ts'
import { StartError } from '../src/start/start-error.ts'

const giveNewPassword = async (config: Config, email: string): Promise<void> => {
  const logger = createLogger({ production: config.production, logLevel: 'error' })
  // As a worker would: it joins the Postgres of a running platform.
  const { database, close } = await openDatabase({ ...config, role: 'worker' }, logger)
  try {
    const { users } = compose({ config, database, clock: createMovableClock(), logger })
    const password = await users.resetAdminPassword(email)
    if (password === undefined) throw new StartError(`No administrator has the e-mail address ${email}.`)
    console.log(`The new password of ${email}: ${password}`)
    console.log('It is shown this once and kept nowhere. All sessions of this account have ended.')
  } finally {
    await close()
  }
}

const [email, ...rest] = process.argv.slice(2)
await runCommand(async (config) => {
  if (email === undefined || rest.length > 0) throw new StartError('Usage: npm run admin:password -- admin@example.com')
  await giveNewPassword(config, email)
})
