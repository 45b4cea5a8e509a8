import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { eventsOf } from '../../support/payments.ts'
import { bookOf, findings, paidBoleto, paidCard, reservingSeller, runJobs } from '../../support/refunds.ts'

const DAY_MS = 86_400_000
const PROCESSES = 8

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const forward = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

/** Several processes that all start the job at the same moment, until none finds anything. */
const together = async (job: 'settlePayments' | 'releaseReserves' | 'expirePayments'): Promise<number> => {
  let total = 0
  for (;;) {
    const counts = await Promise.all(Array.from({ length: PROCESSES }, () => app.services.jobs[job].runOnce()))
    const done = counts.reduce((sum, count) => sum + count)
    if (done === 0) return total
    total += done
  }
}

const manyParts = async (own: Seller) => {
  for (let at = 0; at < 4; at += 1) {
    await paidCard(app, own, { amount: 10_000 + at, installments: 12 })
    await paidBoleto(app, own)
  }
}

test('many processes settle the same parts at once: each part once, to the centavo', { timeout: 60_000 }, async () => {
  const own = await reservingSeller(app)
  await manyParts(own)
  const { pending = 0 } = await bookOf(app, own)
  forward(400 * DAY_MS)
  expect(await together('settlePayments')).toBe(52)
  const { available = 0, reserved = 0, pending: left = 0 } = await bookOf(app, own)
  expect([left, available + reserved]).toEqual([0, pending])
  const { rows } = await app.sql.query(
    "select count(*)::int, count(distinct reference_id)::int as parts from ledger_transfers where seller_id = $1 and kind = 'payment_settled'",
    [own.id],
  )
  expect(rows[0]).toEqual({ count: 52, parts: 52 })
  expect(await eventsOf(app, own, 'balance.settled')).toHaveLength(52)
  expect(await app.services.jobs.settlePayments.runOnce()).toBe(0)
  forward(31 * DAY_MS)
  expect(await together('releaseReserves')).toBe(52)
  expect(await bookOf(app, own)).toMatchObject({ available: pending })
})

test('late or on time, the job comes to the same: what was missed is made good by one run', async () => {
  const [punctual, late] = [await reservingSeller(app), await reservingSeller(app)]
  for (const own of [punctual, late]) await paidCard(app, own, { amount: 12_345, installments: 3 })
  const parts = async (own: Seller) => {
    const { rows } = await app.sql.query(
      'select installment, amount::int, available_on::text, status from payment_settlements where seller_id = $1 order by 1',
      [own.id],
    )
    return rows
  }
  const dates = (await parts(punctual)).map(({ available_on }) => available_on as string)
  expect((await parts(late)).map(({ available_on }) => available_on)).toEqual(dates)
  // The late one's parts are out of the job's sight until the end.
  await app.sql.query('update payment_settlements set available_on = available_on + 4000 where seller_id = $1', [
    late.id,
  ])
  for (const date of dates) {
    app.clock.setOffsetMs(startOfSaoPauloDay(date).getTime() - Date.now() - 1_000)
    const before = await bookOf(app, punctual)
    await runJobs(app, ['settlePayments'])
    expect(await bookOf(app, punctual)).toEqual(before)
    app.clock.setOffsetMs(startOfSaoPauloDay(date).getTime() - Date.now() + 1_000)
    await runJobs(app, ['settlePayments'])
    expect(await bookOf(app, punctual)).not.toEqual(before)
  }
  await app.sql.query('update payment_settlements set available_on = available_on - 4000 where seller_id = $1', [
    late.id,
  ])
  await runJobs(app, ['settlePayments'])
  expect(await parts(late)).toEqual(await parts(punctual))
  expect(await bookOf(app, late)).toEqual(await bookOf(app, punctual))
})
