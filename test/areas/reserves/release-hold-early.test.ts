import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { centavos } from '../../../src/domain/money.ts'
import { proveLedger } from '../../../src/ledger/ledger-proof.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import {
  disputed,
  hearRefund,
  paidPix,
  refunded,
  reservingSeller,
  runJobs,
  tellDispute,
} from '../../support/refunds.ts'
import { availableAndReserved, releaseEventsOf, sellerWithHolds } from '../../support/reserves.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(async () => {
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
  await app.close()
})

const release = (id: string, token = admin) => app.api.post(`admin/reserve-holds/${id}/release`, { token })

const list = (query: string) => app.api.get(`admin/reserve-holds?${query}`, { token: admin })

/** A seller with a Pix of 100 reais and its hold of 9.90. */
const withPayment = async () => {
  const seller = await reservingSeller(app)
  const payment = await paidPix(app, seller)
  const [hold] = (await list(`sellerId=${seller.id}`)).body.data
  return { seller, payment, hold: hold as { id: string } }
}

const balanceOf = (seller: Seller) => availableAndReserved(app, seller)

test('200: a hold is released at once, with a statement row, an event and an audit entry', async () => {
  const { seller, payment, hold } = await withPayment()
  expect(await balanceOf(seller)).toEqual([8_911, 990])
  const { status, body } = await release(hold.id)
  expect(status).toBe(200)
  expect(body).toEqual({ ...hold, status: 'released', releasedAmount: 990, remainingAmount: 0 })
  expect(body).toMatchObject({ sellerId: seller.id, paymentId: payment.id, amount: 990, consumedAmount: 0 })
  expect(await balanceOf(seller)).toEqual([9_901, 0])
  expect(await releaseEventsOf(app, seller)).toEqual([
    { ...body, reason: 'early', releasedAt: expect.stringMatching(/\.\d{3}Z$/) },
  ])
  const statement = await app.api.get('transactions?type=reserve_released', { token: seller.token })
  expect(
    statement.body.data.map((row: Record<string, unknown>) => [row.bucket, row.direction, row.amount, row.referenceId]),
  ).toEqual([
    ['available', 'credit', 990, hold.id],
    ['reserved', 'debit', 990, hold.id],
  ])
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [hold.id])
  expect(rows).toEqual([
    expect.objectContaining({
      action: 'reserve_hold.release',
      target_type: 'reserve_hold',
      seller_id: seller.id,
      actor_role: 'admin',
      before: { status: 'held' },
      after: { status: 'released', releasedAmount: 990 },
    }),
  ])
})

test('200: what a refund took is not released again', async () => {
  const { seller, payment, hold } = await withPayment()
  await refunded(app, seller, payment.id, 400)
  expect((await release(hold.id)).body).toMatchObject({ releasedAmount: 590, consumedAmount: 400, remainingAmount: 0 })
  expect(await balanceOf(seller)).toEqual([9_501, 0])
})

test('what a failed refund brings back to a hold that was released early is available too', async () => {
  const { seller, payment, hold } = await withPayment()
  const refund = await refunded(app, seller, payment.id, 400)
  await release(hold.id)
  await hearRefund(app, seller, refund.id, [{ status: 'failed', reason: 'account_closed' }])
  expect(await balanceOf(seller)).toEqual([9_901, 0])
  expect((await list(`sellerId=${seller.id}&status=held`)).body.totalRecords).toBe(0)
})

test('what a reversed dispute brings back to a hold that was released early is available too', async () => {
  const { seller, payment, hold } = await withPayment()
  const claim = { status: 'open', type: 'med', amount: centavos(400), reason: 'Fraud' } as const
  const respondBy = new Date(app.clock.now().getTime() + 3_600_000)
  await tellDispute(app, 'early', { ...claim, chargeReference: payment.id.replaceAll('-', ''), respondBy })
  app.clock.setOffsetMs(app.clock.offsetMs() + 7_200_000)
  await runJobs(app, ['loseUnansweredDisputes'])
  expect((await release(hold.id)).body).toMatchObject({ releasedAmount: 590, consumedAmount: 400 })
  await tellDispute(app, 'early', { status: 'won' })
  expect(await balanceOf(seller)).toEqual([9_901, 0])
})

test('200: holds are listed newest first, by seller, status and time', async () => {
  const { seller, holds } = await sellerWithHolds(app, 30, 3)
  const idsOf = async (query: string) =>
    (await list(`sellerId=${seller.id}${query}`)).body.data.map(({ id }: { id: string }) => id)
  const newestFirst = holds.map(({ id }) => id).toReversed()
  expect(await idsOf('')).toEqual(newestFirst)
  expect(await idsOf('&perPage=2&page=2')).toEqual(newestFirst.slice(2))
  await release(holds[0]?.id ?? '')
  expect(await idsOf('&status=held')).toEqual(newestFirst.slice(0, 2))
  expect(await idsOf('&status=released&status=frozen')).toEqual(newestFirst.slice(2))
  expect(await idsOf(`&to=${encodeURIComponent(new Date(0).toISOString())}`)).toEqual([])
  expect((await list('perPage=1')).body.totalRecords).toBeGreaterThan(2)
  expect((await list('perPage=1')).headers.get('link')).toContain('cursor=')
})

test('409: a hold that a dispute froze stays, until the dispute is decided', async () => {
  const { seller, payment, hold } = await withPayment()
  const dispute = await disputed(app, seller, payment.id)
  const before = await balanceOf(seller)
  const refusal = await release(hold.id)
  expect([refusal.status, refusal.body.code]).toEqual([409, 'reserve_hold.frozen'])
  expect(await balanceOf(seller)).toEqual(before)
  await app.api.post(`sandbox/disputes/${dispute.id}/resolve`, { token: seller.token, body: { outcome: 'won' } })
  expect((await release(hold.id)).status).toBe(200)
  expect(await balanceOf(seller)).toEqual([9_901, 0])
})

test('409: a hold of which nothing is left', async () => {
  const released = await withPayment()
  await release(released.hold.id)
  const consumed = await withPayment()
  await refunded(app, consumed.seller, consumed.payment.id, 990)
  for (const { hold } of [released, consumed]) {
    const refusal = await release(hold.id)
    expect([refusal.status, refusal.body.code]).toEqual([409, 'reserve_hold.not_held'])
  }
})

test('400, 401, 403 and 404: only administrators, and only holds that are there', async () => {
  const { seller, hold } = await withPayment()
  expect((await release('1')).status).toBe(400)
  expect((await list('status=lost')).status).toBe(400)
  expect((await app.api.post(`admin/reserve-holds/${hold.id}/release`)).status).toBe(401)
  expect((await release(hold.id, seller.token)).status).toBe(403)
  expect((await app.api.get('admin/reserve-holds')).status).toBe(401)
  expect((await app.api.get('admin/reserve-holds', { token: seller.token })).status).toBe(403)
  const missing = await release(app.services.newId())
  expect([missing.status, missing.body.code]).toEqual([404, 'reserve_hold.not_found'])
  expect(await balanceOf(seller)).toEqual([8_911, 990])
})

test('many administrators at once release a hold once', async () => {
  const { seller, hold } = await withPayment()
  const answers = await race(
    app,
    { table: 'reserve_holds', id: hold.id },
    Array.from({ length: 5 }, () => () => release(hold.id)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  expect(await balanceOf(seller)).toEqual([9_901, 0])
  expect(await releaseEventsOf(app, seller)).toHaveLength(1)
})

test('a release and a refund at once: the payer gets all, and the hold gives each centavo once', async () => {
  const { seller, payment, hold } = await withPayment()
  await race<unknown>(app, { table: 'reserve_holds', id: hold.id }, [
    () => release(hold.id),
    () => refunded(app, seller, payment.id, 1_500),
  ])
  expect(await balanceOf(seller)).toEqual([8_401, 0])
})

test('a release and a dispute at once: the hold is frozen or released, and the dispute claims the whole either way', async () => {
  const { seller, payment, hold } = await withPayment()
  const [answer] = await race<{ status?: unknown }>(app, { table: 'reserve_holds', id: hold.id }, [
    () => release(hold.id),
    () => disputed(app, seller, payment.id),
  ])
  const { body } = await app.api.get('balance', { token: seller.token })
  const frozen = { availableAmount: -99, blockedAmount: 9_010, reservedAmount: 990 }
  const released = { availableAmount: -99, blockedAmount: 10_000, reservedAmount: 0 }
  expect(body).toMatchObject(answer?.status === 200 ? released : frozen)
})
