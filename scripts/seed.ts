import { compose } from '../src/compose.ts'
import type { Config } from '../src/config.ts'
import { NEWEST_FIRST } from '../src/db/page.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../src/domain/calendar.ts'
import { proveLedger } from '../src/ledger/ledger-proof.ts'
import { createLogger } from '../src/logging/logger.ts'
import { openDatabase } from '../src/start/open-database.ts'
import { runCommand } from '../src/start/run-command.ts'
import { StartError } from '../src/start/start-error.ts'
import { createDemoClock } from './seed/demo-clock.ts'
import { type Demo, personOf } from './seed/demo-platform.ts'
import { holdJobs } from './seed/hold-jobs.ts'
import { DEMO_PASSWORD, emailOf } from './seed/open-shops.ts'
import { SHOPS } from './seed/shops.ts'
import { DAYS, liveThroughQuarter } from './seed/story.ts'
import { startWebhookReceiver } from './seed/webhook-receiver.ts'

const ONE = { page: { page: 1, perPage: 1, sort: NEWEST_FIRST } }

const refuseUnfit = async ({ reserves }: Demo['services']): Promise<void> => {
  // Every seller has a reserve configuration, from the first moment on.
  const { totalRecords } = await reserves.listConfigs(ONE)
  if (totalRecords > 0) throw new StartError('This platform has sellers already. The demo is for an empty one.')
}

const printLogins = (admin: { email: string; password: string | undefined } | undefined): void => {
  console.log(`\nThe log-ins of the demo; every seller's password is "${DEMO_PASSWORD}":\n`)
  for (const shop of SHOPS) console.log(`  ${emailOf(shop).padEnd(28)} ${shop.name.padEnd(24)} ${shop.fate}`)
  const password = admin?.password === undefined ? 'the password that it has' : `password ${admin.password}`
  if (admin !== undefined) console.log(`  ${admin.email.padEnd(28)} administrator, ${password}`)
}

const PROGRESS_EVERY_DAYS = 5

// In a terminal one line that changes; in a pipe or a log a new one now and then.
const progress = (day: number): void => {
  const line = `day ${day} of ${DAYS}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`)
  else if (day % PROGRESS_EVERY_DAYS === 1) console.log(line)
}

const prove = async (services: Demo['services'], database: Parameters<typeof proveLedger>[0]): Promise<void> => {
  const findings = await proveLedger(database)
  for (const { check, subject, detail } of findings) console.error(`${check}: ${subject}: ${detail}`)
  if (findings.length > 0) throw new StartError('The books of the demo do not agree.')
  const [payments, withdrawals] = [await services.payments.listAll(ONE), await services.withdrawals.listAll(ONE)]
  console.log(`${SHOPS.length} sellers, ${payments.totalRecords} payments, ${withdrawals.totalRecords} withdrawals.`)
  console.log('The ledger is proven: every transfer, balance, statement and bucket agrees.')
}

const tell = async (demo: Demo, end: Date): Promise<void> => {
  const held = await holdJobs(demo.services)
  try {
    await liveThroughQuarter(demo, end, async (day) => {
      progress(day)
      await held.beat()
    })
    // The people of the demo have no mailboxes.
    await demo.services.transact((tx) => tx.mails.cancelAll())
  } finally {
    await held.release()
  }
}

const seed = async (config: Config): Promise<void> => {
  if (config.production) throw new StartError('The demo is not for production: its accounts have a known password.')
  const logger = createLogger({ production: config.production, logLevel: 'error' })
  // As a worker would: it joins the Postgres of a running platform.
  const { database, patient, close } = await openDatabase({ ...config, role: 'worker' }, logger)
  const receiver = await startWebhookReceiver()
  try {
    const clock = createDemoClock(startOfSaoPauloDay(addDays(saoPauloDate(new Date()), -DAYS)))
    // The demo's webhooks go to this process.
    const local = { ...config, webhookAllowedNetworks: ['127.0.0.0/8'] }
    const services = compose({ config: local, database, patient, clock, logger })
    await refuseUnfit(services)
    if (services.sandbox === undefined) throw new StartError('The demo needs PROVIDER to be sandbox.')
    await services.ensureDefaultFees()
    const made = await services.authentication.ensureFirstAdmin(config.admin)
    const [admin] = (await services.users.listAdmins(ONE)).data
    const demo = { services, sandbox: services.sandbox, clock, receiver, admin: personOf(admin?.id ?? '', 'admin') }
    console.log(`Living through ${DAYS} days, which takes a minute or two.`)
    await tell(demo, new Date(Date.now() + (await services.read.sandbox.findClockOffset())))
    if (process.stdout.isTTY) process.stdout.write('\r')
    await prove(services, patient)
    printLogins(made)
    await services.webhookEngine.stop(0)
  } finally {
    await receiver.close()
    await close()
  }
}

await runCommand(seed)
