import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  disputed,
  findings,
  paidBoleto,
  paidCard,
  paidPix,
  refunded,
  reservingSeller,
  resolve,
  runJobs,
} from '../../support/refunds.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

test('200: what the dates promise is what the buckets hold, but for what a dispute has frozen', async () => {
  const seller = await reservingSeller(app)
  await paidPix(app, seller)
  await paidBoleto(app, seller)
  const card = await paidCard(app, seller, { installments: 12, amount: 123_457 })
  const disputedPix = await paidPix(app, seller, { amount: 54_321 })
  await refunded(app, seller, card.id, 1_234)
  const sumOf = (releases: Record<string, number>[], bucket: string) =>
    releases.reduce((sum, release) => sum + (release[bucket] ?? 0), 0)
  const check = async (frozenReserveAmount: number) => {
    const { body } = await app.api.get('balance', { token: seller.token })
    expect(sumOf(body.nextReleases, 'pendingAmount')).toBe(body.pendingAmount)
    expect(sumOf(body.nextReleases, 'reservedAmount')).toBe(body.reservedAmount - frozenReserveAmount)
    expect(body.frozenReserveAmount).toBe(frozenReserveAmount)
    return body
  }
  const before = await check(0)
  expect(before.nextReleases.length).toBeGreaterThanOrEqual(13)
  const dispute = await disputed(app, seller, disputedPix.id)
  await check(dispute.frozenReserveAmount)
  await resolve(app, seller, dispute.id, 'won')
  await check(0)
  await runJobs(app, ['sendRefunds'])
  app.clock.setOffsetMs(app.clock.offsetMs() + 200 * 86_400_000)
  await runJobs(app, ['settlePayments', 'releaseReserves'])
  const after = await check(0)
  expect(after.totalAmount).toBe(before.totalAmount)
})
