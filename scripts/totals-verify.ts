import { repairDailyTotals, verifyDailyTotals } from '../src/daily-totals/daily-totals.verify.ts'
import { runCommand, withDatabase } from '../src/start/run-command.ts'

await runCommand((config) =>
  withDatabase(config, async (database) => {
    if (process.argv.includes('--repair')) console.log(`${await repairDailyTotals(database)} totals were put right.`)
    const findings = await verifyDailyTotals(database)
    for (const { subject, sellerId, day, detail } of findings) {
      console.error(`${subject} of seller ${sellerId} on ${day}: ${detail}`)
    }
    if (findings.length === 0) console.log('The totals are proven: each is what counting its rows gives.')
    else process.exitCode = 1
  }),
)
