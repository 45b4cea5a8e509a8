import { parseCrontab } from 'graphile-worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crontabOf } from '../../src/workers/schedule.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const digest = (min: number) => ({ min, hour: 3, date: 1, month: 1, dow: 1 })
const MINUTES = Array.from({ length: 60 }, (_, minute) => minute)

test('every job of the platform is on the schedule, in a queue and under a key of its own', () => {
  const names = Object.keys(app.services.jobs)
  const items = parseCrontab(crontabOf(names))
  expect(items.map(({ task }) => task)).toStrictEqual(names)
  for (const { task, options } of items)
    expect(options).toMatchObject({ queueName: task, jobKey: task, maxAttempts: 3 })
})

test('what cleans up runs once an hour, everything that moves money each minute', () => {
  const timesAnHour = Object.fromEntries(
    parseCrontab(crontabOf(Object.keys(app.services.jobs))).map(({ task, match }) => [
      task,
      MINUTES.filter((minute) => match(digest(minute))).length,
    ]),
  )
  expect(timesAnHour).toMatchObject({
    processProviderEvents: 60,
    expirePayments: 60,
    settlePayments: 60,
    reconcilePayments: 60,
    payWithdrawals: 60,
    reconcilePayouts: 60,
    releaseReserves: 60,
    proveLedger: 60,
    chainLedger: 12,
    purgeEvents: 1,
    cleanUp: 1,
  })
})
