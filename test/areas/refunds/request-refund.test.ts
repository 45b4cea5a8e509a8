import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, eventsOf, getPayment, sellingSeller } from '../../support/payments.ts'
import {
  bookOf,
  disputed,
  findings,
  paidBoleto,
  paidCard,
  paidPix,
  postRefund,
  refunded,
  refundsOf,
  reservingSeller,
  resolve,
  runJobs,
} from '../../support/refunds.ts'

const DAY_MS = 86_400_000

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  // For refunds of more than the net of their payment.
  await paidPix(app, seller, { amount: 100_000 })
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

test('201: a refund takes the money at once and is told to the provider afterwards', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const { status, body } = await postRefund(app, own, id, { amount: 4_000, reason: 'Produto devolvido' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    origin: 'seller',
    paymentId: id,
    amount: 4_000,
    reason: 'Produto devolvido',
    status: 'processing',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  // The net of 9901 had 990 held back: the hold goes first, what is available gives the rest.
  expect(await bookOf(app, own)).toEqual({ available: 8_911 - 3_010, clearing: -6_000, fee_revenue: 99 })
  await runJobs(app, ['sendRefunds'])
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 4_000 })
  expect(await refundsOf(app, own, id)).toMatchObject([{ id: body.id, status: 'completed' }])
})

test('201: without an amount all that is left goes back, and each refund is told to webhooks', async () => {
  const own = await sellingSeller(app)
  await paidPix(app, own)
  const { id } = await paidPix(app, own)
  await refunded(app, own, id, 2_500)
  await runJobs(app, ['sendRefunds'])
  expect(await refunded(app, own, id)).toMatchObject({ amount: 7_500 })
  await runJobs(app, ['sendRefunds'])
  expect(await getPayment(app, own, id)).toMatchObject({ status: 'refunded', refundedAmount: 10_000 })
  expect((await eventsOf(app, own, 'refund.')).map(({ type, data }) => [type, data.amount])).toEqual([
    ['refund.completed', 2_500],
    ['refund.completed', 7_500],
  ])
  const told = (await eventsOf(app, own)).slice(-2)
  expect(told.map(({ type, data }) => [type, data.status, data.refundedAmount])).toEqual([
    ['payment.partially_refunded', 'partially_refunded', 2_500],
    ['payment.refunded', 'refunded', 10_000],
  ])
  // The fee of the refunded payment stays with the platform.
  expect(await bookOf(app, own)).toEqual({ available: 9_802, clearing: -10_000, fee_revenue: 198 })
})

test('201: a POST without a body refunds the whole payment', async () => {
  const { id } = await paidPix(app, seller)
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await app.api.post(`payments/${id}/refunds`, { token: seller.token, headers })
  expect([answer.status, answer.body.amount, answer.body.reason]).toEqual([201, 10_000, null])
})

test('201: a card’s parts that wait are drawn first, the latest first', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidCard(app, own)
  await refunded(app, own, id, 4_000)
  const { rows } = await app.sql.query(
    'select amount, canceled_amount from payment_settlements where payment_id = $1 order by installment',
    [id],
  )
  const canceled = rows.map((row) => Number(row.canceled_amount))
  const [, second = 0, third = 0] = rows.map((row) => Number(row.amount))
  expect(canceled).toEqual([0, 4_000 - third, third])
  expect(canceled[1]).toBeLessThan(second)
  const { pending = 0, receivable = 0, fee_revenue = 0, available } = await bookOf(app, own)
  expect({ owed: receivable, kept: pending + fee_revenue, available }).toEqual({ owed: -6_000, kept: 6_000 })
})

test('201: a repeated Idempotency-Key answers with the first refund, and moves money once', async () => {
  const { id } = await paidPix(app, seller)
  const key = randomUUID()
  const first = await postRefund(app, seller, id, { amount: 100 }, key)
  const again = await postRefund(app, seller, id, { amount: 100 }, key)
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await postRefund(app, seller, id, { amount: 101 }, key)).body.code).toBe('idempotency.key_reused')
  expect(await refundsOf(app, seller, id)).toHaveLength(1)
})

test.each([
  ['no key', {}, 'idempotency.key_required'],
  ['a key that is none', { 'idempotency-key': 'with space' }, 'validation.failed'],
])('400: %s', async (_, headers: Record<string, string>, code) => {
  const { id } = await paidPix(app, seller)
  const answer = await app.api.post(`payments/${id}/refunds`, { token: seller.token, body: {}, headers })
  expect([answer.status, answer.body.code]).toEqual([400, code])
})

test.each([[{ amount: 0 }], [{ amount: 1.5 }], [{ amount: '100' }], [{ reason: '' }], [{ fee: 1 }]])(
  '400: a body of %j',
  async (body) => {
    const { id } = await paidPix(app, seller)
    const answer = await postRefund(app, seller, id, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation.failed'])
  },
)

test('401 and 403: without a token, and as an administrator', async () => {
  const { id } = await paidPix(app, seller)
  const path = `payments/${id}/refunds`
  expect((await app.api.post(path, { body: {} })).status).toBe(401)
  expect((await app.api.get(path)).status).toBe(401)
  const admin = await adminToken(app)
  expect((await app.api.post(path, { token: admin, body: {} })).status).toBe(403)
  expect((await app.api.get(path, { token: admin })).status).toBe(403)
})

test('403: credentials refund only with the scope of their own for it', async () => {
  const own = await sellingSeller(app)
  const { id } = await paidPix(app, own)
  const tokenWith = async (scopes: string[]) => {
    const put = { token: own.token, body: { scopes, rotateSecret: true } }
    const { clientId, clientSecret } = (await app.api.put('integrations/credentials', put)).body
    return (await app.api.post('integrations/login', { body: { clientId, clientSecret } })).body.accessToken as string
  }
  const writer = { token: await tokenWith(['payments:write', 'payments:read']) }
  expect((await postRefund(app, writer, id, { amount: 1 })).status).toBe(403)
  const refunder = { token: await tokenWith(['refunds:write']) }
  expect((await postRefund(app, refunder, id, { amount: 1 })).status).toBe(201)
})

test('404: another seller’s payment looks exactly like a missing one', async () => {
  const { id } = await paidPix(app, seller)
  const other = await sellingSeller(app)
  const foreign = await postRefund(app, other, id)
  const missing = await postRefund(app, other, app.services.newId())
  expect([foreign.status, foreign.body.code]).toEqual([404, 'payment.not_found'])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  const listed = await app.api.get(`payments/${id}/refunds`, { token: other.token })
  expect([listed.status, listed.body.code]).toEqual([404, 'payment.not_found'])
})

test('409: what was not paid, or has gone back whole, cannot be refunded', async () => {
  const pending = await createPayment(app, seller)
  expect((await postRefund(app, seller, pending.id)).body.code).toBe('refund.payment_not_refundable')
  const { id } = await paidPix(app, seller)
  await refunded(app, seller, id)
  await runJobs(app, ['sendRefunds'])
  const answer = await postRefund(app, seller, id)
  expect([answer.status, answer.body.code]).toEqual([409, 'refund.payment_not_refundable'])
})

test('409: nothing is refunded while a dispute runs, and again when it was won', async () => {
  const { id } = await paidPix(app, seller)
  const dispute = await disputed(app, seller, id)
  const answer = await postRefund(app, seller, id)
  expect([answer.status, answer.body.code]).toEqual([409, 'refund.payment_in_dispute'])
  await resolve(app, seller, dispute.id, 'won')
  expect((await postRefund(app, seller, id, { amount: 1 })).status).toBe(201)
})

test('422: a boleto has no way back to its payer', async () => {
  const { id } = await paidBoleto(app, seller)
  const answer = await postRefund(app, seller, id)
  expect([answer.status, answer.body.code]).toEqual([422, 'refund.method_not_refundable'])
  expect(answer.body.detail).toMatch(/boleto/i)
})

test('422: more than was paid, or than other refunds left, is too much, also while they are on their way', async () => {
  const { id } = await paidPix(app, seller)
  expect((await postRefund(app, seller, id, { amount: 10_001 })).body.code).toBe('refund.amount_exceeds_payment')
  await refunded(app, seller, id, 6_000)
  const answer = await postRefund(app, seller, id, { amount: 4_001 })
  expect([answer.status, answer.body.code]).toEqual([422, 'refund.amount_exceeds_payment'])
  await refunded(app, seller, id, 4_000)
  expect((await postRefund(app, seller, id)).body.code).toBe('refund.amount_exceeds_payment')
})

test('422: what the seller does not have is not refunded, and nothing moves', async () => {
  const own = await reservingSeller(app)
  const { id } = await paidPix(app, own)
  const before = await bookOf(app, own)
  const answer = await postRefund(app, own, id)
  expect([answer.status, answer.body.code]).toEqual([422, 'balance.insufficient'])
  expect(await bookOf(app, own)).toEqual(before)
  expect(await refundsOf(app, own, id)).toEqual([])
  expect((await refunded(app, own, id, 9_901)).amount).toBe(9_901)
})

test('422: a Pix can be refunded for 90 days, a card longer', async () => {
  const own = await sellingSeller(app)
  const pix = await paidPix(app, own)
  const card = await paidCard(app, own)
  const offset = app.clock.offsetMs()
  app.clock.setOffsetMs(offset + 90 * DAY_MS - 60_000)
  expect((await postRefund(app, own, pix.id, { amount: 1 })).status).toBe(201)
  app.clock.setOffsetMs(offset + 90 * DAY_MS + 60_000)
  const late = await postRefund(app, own, pix.id, { amount: 1 })
  const inTime = await postRefund(app, own, card.id, { amount: 1 })
  app.clock.setOffsetMs(offset)
  expect([late.status, late.body.code, inTime.status]).toEqual([422, 'refund.too_late', 201])
})

test('200: refunds are listed newest first, by page and by status', async () => {
  const { id } = await paidPix(app, seller)
  const first = await refunded(app, seller, id, 1)
  await runJobs(app, ['sendRefunds'])
  const second = await refunded(app, seller, id, 2)
  const list = (query: string) => app.api.get(`payments/${id}/refunds${query}`, { token: seller.token })
  expect((await list('')).body.data.map((row: { id: string }) => row.id)).toEqual([second.id, first.id])
  expect((await list('?status=completed')).body.data.map((row: { id: string }) => row.id)).toEqual([first.id])
  expect((await list('?perPage=1&page=2')).body).toMatchObject({
    totalRecords: 2,
    totalPages: 2,
    data: [{ id: first.id }],
  })
  expect((await list('?perPage=1')).headers.get('link')).toContain('cursor=')
  expect((await list('?status=lost')).status).toBe(400)
})
