import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import {
  balancesOf,
  createPayment,
  eventsOf,
  getPayment,
  postPayment,
  sellingSeller,
  setReserve,
} from '../../support/payments.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

const card = (fields: Record<string, unknown> = {}) => ({ method: 'credit_card', cardToken: 'tok_0001', ...fields })

const capture = (seller: Seller, id: string) => app.api.post(`payments/${id}/capture`, { token: seller.token })

test('200: an authorized card is captured once, and its net waits for its date', async () => {
  const seller = await sellingSeller(app)
  const { id, status, card: shown } = await createPayment(app, seller, card({ capture: false }))
  expect([status, shown.last4]).toEqual(['authorized', '0001'])
  const answers = await Promise.all([capture(seller, id), capture(seller, id), capture(seller, id)])
  expect(answers.map((answer) => [answer.status, answer.body.status])).toEqual(Array(3).fill([200, 'paid']))
  expect(await balancesOf(app, seller)).toMatchObject({ pending: 9_562, available: 0, receivable: -10_000 })
  expect((await eventsOf(app, seller)).filter(({ type }) => type === 'payment.paid')).toHaveLength(1)
})

test('409: only an authorized card can be captured', async () => {
  const seller = await sellingSeller(app)
  const pix = await createPayment(app, seller)
  const paid = await createPayment(app, seller, card())
  for (const { id } of [pix, paid]) {
    const { status, body } = await capture(seller, id)
    expect([status, body.code]).toEqual([409, 'payment.not_capturable'])
  }
})

test('200: part of an authorization can be captured, and the rest is let go', async () => {
  const seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller, card({ capture: false }))
  const { token } = seller
  const tooMuch = await app.api.post(`payments/${id}/capture`, { token, body: { amount: 10_001 } })
  expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'payment.capture_exceeds_amount'])
  const { status, body } = await app.api.post(`payments/${id}/capture`, { token, body: { amount: 6_000 } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'paid', statusReason: null, amount: 10_000, paidAmount: 6_000 })
  expect(body.netAmount).toBe(6_000 - body.feeAmount)
  expect(await balancesOf(app, seller)).toMatchObject({ pending: body.netAmount, receivable: -6_000 })
})

test('404: another seller cannot capture, and learns nothing', async () => {
  const [owner, stranger] = [await sellingSeller(app), await sellingSeller(app)]
  const { id } = await createPayment(app, owner, card({ capture: false }))
  const foreign = await capture(stranger, id)
  const missing = await capture(stranger, app.services.newId())
  expect([foreign.status, foreign.body.code]).toEqual([404, 'payment.not_found'])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
})

test('unknown outcome: a lost answer is processing, and the reconciler finds out that it was paid', async () => {
  const seller = await sellingSeller(app)
  const { id, status } = await createPayment(app, seller, card({ cardToken: 'tok_0006' }))
  expect(status).toBe('processing')
  await app.sql.query(`update payments set created_at = created_at - interval '2 minutes' where id = $1`, [id])
  expect(await app.services.jobs.reconcilePayments.runOnce()).toBeGreaterThan(0)
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', statusReason: null, netAmount: 9_562 })
  expect(await app.services.jobs.reconcilePayments.runOnce()).toBe(0)
})

// What a process leaves behind that dies between its own write and the provider's answer.
const crashed = async (seller: Seller, key: string) => {
  const { body } = await postPayment(app, seller, card(), { key })
  const { id } = body
  await app.sql.query('delete from payment_settlements where payment_id = $1', [id])
  await app.sql.query('delete from sandbox_records where reference = $1', [id.replaceAll('-', '')])
  await app.sql.query('delete from provider_references where resource_id = $1', [id])
  await app.sql.query(`delete from events where seller_id = $1 and type = 'payment.paid'`, [seller.id])
  await app.sql.query(
    `update payments set status = 'created', card_token = 'tok_0002', paid_amount = 0, fee_amount = 0, net_amount = 0,
       paid_at = null, created_at = created_at - interval '2 minutes' where id = $1`,
    [id],
  )
  await app.sql.query(
    `update idempotency_keys set status = null, body = null, resource_id = $1, leased_until = now() + interval '1 hour'
       where owner_id = $2 and key = $3`,
    [id, seller.id, key],
  )
  return id
}

test('crash: while the lease runs a repeat is told to wait; after it, the repeat finishes the same payment', async () => {
  const seller = await sellingSeller(app)
  const id = await crashed(seller, 'crash-1')
  const early = await postPayment(app, seller, card(), { key: 'crash-1' })
  expect([early.status, early.body.code]).toEqual([409, 'idempotency.in_progress'])
  expect(early.headers.get('retry-after')).toBe('1')
  await app.sql.query(`update idempotency_keys set leased_until = now() - interval '1 second' where key = 'crash-1'`)
  const late = await postPayment(app, seller, card(), { key: 'crash-1' })
  expect([late.status, late.body.id, late.body.status]).toEqual([201, id, 'failed'])
  const again = await postPayment(app, seller, card(), { key: 'crash-1' })
  expect(again.text).toBe(late.text)
  const { rows } = await app.sql.query('select count(*) from payments where seller_id = $1', [seller.id])
  expect(rows[0].count).toBe('1')
})

test('crash: the reconciler asks again under the same id for a charge that never arrived', async () => {
  const seller = await sellingSeller(app)
  const id = await crashed(seller, 'crash-2')
  await app.services.jobs.reconcilePayments.runOnce()
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'failed', statusReason: 'card_denied' })
})

test('the clock: installments become available month by month, each with its reserve, until all is settled', async () => {
  const seller = await sellingSeller(app)
  const token = await adminToken(app)
  await setReserve(app, seller, 1_000, 10)
  const { id } = await createPayment(app, seller, card({ installments: 3 }))
  expect(await balancesOf(app, seller)).toMatchObject({ pending: 9_502, available: 0 })
  const settledParts = async () =>
    (await eventsOf(app, seller, 'balance.')).map(({ data }) => [data.installment, data.amount])
  const advance = (days: number) => app.api.post('sandbox/clock/advance', { token, body: { days } })
  expect((await advance(34)).status).toBe(200)
  const { rows } = await app.sql.query(
    'select installment, amount, status from payment_settlements where payment_id = $1 order by installment',
    [id],
  )
  expect(rows).toEqual([
    { installment: 1, amount: '3168', status: 'available' },
    { installment: 2, amount: '3167', status: 'waiting' },
    { installment: 3, amount: '3167', status: 'waiting' },
  ])
  expect(await getPayment(app, seller, id)).toMatchObject({ reserveAmount: 317 })
  expect(await settledParts()).toEqual([[1, 3_168]])
  await advance(80)
  expect(await balancesOf(app, seller)).toMatchObject({
    pending: 0,
    available: 9_502,
    reserved: 0,
    receivable: 0,
    clearing: -10_000,
    fee_revenue: 498,
  })
  expect((await settledParts()).at(-1)).toEqual([3, 3_167])
})

test('the clock: an authorization that nobody captures expires after five days', async () => {
  const seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller, card({ capture: false }))
  const token = await adminToken(app)
  await app.api.post('sandbox/clock/advance', { token, body: { days: 4, hours: 23 } })
  expect((await getPayment(app, seller, id)).status).toBe('authorized')
  await app.api.post('sandbox/clock/advance', { token, body: { hours: 1 } })
  expect((await getPayment(app, seller, id)).status).toBe('expired')
  expect((await capture(seller, id)).status).toBe(409)
})
