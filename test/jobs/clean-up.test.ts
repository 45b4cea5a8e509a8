import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { request, sellerWith } from '../support/withdrawals.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const HOUR_MS = 3_600_000

test('first answers are kept for 24 hours and forgotten with their day', async () => {
  const seller = await sellerWith(app, 100_000)
  const key = { 'idempotency-key': 'kept' }
  const keys = async () => (await app.sql.query('select key from idempotency_keys')).rows
  await request(app, seller, {}, key)
  app.clock.setOffsetMs(app.clock.offsetMs() + 23.9 * HOUR_MS)
  await app.services.jobs.cleanUp.runOnce()
  expect(await keys()).toStrictEqual([{ key: 'kept' }])
  app.clock.setOffsetMs(app.clock.offsetMs() + 24.2 * HOUR_MS)
  expect(await app.services.jobs.cleanUp.runOnce()).toBeGreaterThan(0)
  expect(await keys()).toStrictEqual([])
})

test('jobs of an older version are forgotten after an hour, those of this one never', async () => {
  const { jobsRepository, jobs } = app.services
  for (const name of ['renamed', 'removed', 'payWithdrawals']) await jobsRepository.insertDue(name)
  await app.sql.query("update jobs set next_run_at = now() - interval '61 minutes' where name <> 'renamed'")
  await jobs.cleanUp.runOnce()
  const { rows } = await app.sql.query('select name from jobs order by name')
  expect(rows).toStrictEqual([{ name: 'payWithdrawals' }, { name: 'renamed' }, { name: 'sendMails' }])
})
