import { afterAll, beforeAll, expect, test } from 'vitest'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { createPayment, pay, sellingSeller } from '../../support/payments.ts'
import { advanceDays, bookDispute, bookRefund, paidPayment, recount } from '../../support/reports.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

const summary = (token: string | undefined, query = '') => app.api.get(`dashboard/summary${query}`, { token })

test('200: a new seller’s figures are zeros, on every one of the last 30 days', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await summary(seller.token)
  expect(status).toBe(200)
  expect(body.payments).toEqual({
    createdCount: 0,
    paidCount: 0,
    paidAmount: 0,
    averageTicketAmount: 0,
    conversionPercentage: 0,
    refundedAmount: 0,
    disputedAmount: 0,
  })
  expect(body.byMethod).toEqual(['pix', 'boleto', 'credit_card'].map((method) => ({ method, count: 0, amount: 0 })))
  expect(body.withdrawals).toEqual({ pendingAmount: 0, completedAmount: 0 })
  expect(body.timeseries).toHaveLength(30)
  expect(body.timeseries.at(-1)).toEqual({
    date: saoPauloDate(app.clock.now()),
    paidCount: 0,
    paidAmount: 0,
    netAmount: 0,
  })
})

test('200: volume counts when it was paid, conversion when payments were created', async () => {
  const seller = await sellingSeller(app)
  const late = await createPayment(app, seller, { amount: 30_000, expiresInSeconds: 2_592_000 })
  await createPayment(app, seller, { amount: 100 })
  await paidPayment(app, seller, { amount: 10_001 })
  const firstDay = saoPauloDate(app.clock.now())
  advanceDays(app, 2)
  const secondDay = saoPauloDate(app.clock.now())
  const login = await app.api.post('auth/login', { body: { email: seller.email, password: seller.password } })
  const token: string = login.body.tokens.accessToken
  await pay(app, { token }, late.id)
  const before = (await summary(token, `?from=${firstDay}&to=${secondDay}`)).body
  expect(before.payments).toMatchObject({
    createdCount: 3,
    paidCount: 1,
    paidAmount: 10_001,
    averageTicketAmount: 10_001,
    conversionPercentage: 66.67,
  })
  const after = (await summary(token, `?from=${secondDay}`)).body
  expect(after.payments).toMatchObject({
    createdCount: 0,
    paidCount: 1,
    paidAmount: 30_000,
    averageTicketAmount: 30_000,
    conversionPercentage: 0,
  })
  const both = (await summary(token, `?from=${firstDay}`)).body
  expect(both.payments).toMatchObject({ paidCount: 2, paidAmount: 40_001, averageTicketAmount: 20_001 })
  expect(both.timeseries.map((day: { paidAmount: number }) => day.paidAmount)).toEqual([10_001, 0, 30_000])
  expect(both.byMethod[0]).toEqual({ method: 'pix', count: 2, amount: 40_001 })
  const statuses = Object.fromEntries(
    both.byStatus.map((row: { status: string; count: number }) => [row.status, row.count]),
  )
  expect(statuses).toMatchObject({ paid: 2, pending: 1, expired: 0 })
  expect(both.balance.availableAmount).toBe((await app.api.get('balance', { token })).body.availableAmount)
})

test('200: the days are São Paulo’s, and the end of a period is not in it', async () => {
  const seller = await sellingSeller(app)
  await paidPayment(app, seller, { amount: 5_000 })
  const place = async (paidAt: string) => {
    await app.sql.query('update payments set paid_at = $2 where seller_id = $1', [seller.id, paidAt])
    await recount(app)
    const { body } = await summary(seller.token, '?from=2026-05-01&to=2026-05-03')
    return body.timeseries.map((day: { paidAmount: number }) => day.paidAmount)
  }
  expect(await place('2026-05-01T02:59:59.999Z')).toEqual([0, 0])
  expect(await place('2026-05-01T03:00:00.000Z')).toEqual([5_000, 0])
  expect(await place('2026-05-02T02:59:59.999Z')).toEqual([5_000, 0])
  expect(await place('2026-05-02T03:00:00.000Z')).toEqual([0, 5_000])
  expect(await place('2026-05-03T03:00:00.000Z')).toEqual([0, 0])
})

test('200: refunds that failed are taken off, and disputes count when they are opened', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPayment(app, seller, { amount: 5_000 })
  await bookRefund(app, seller.id, 700)
  await bookRefund(app, seller.id, 900, true)
  await bookDispute(app, seller.id, { paymentId: id, amount: 1_500, feeAmount: 0, status: 'open' })
  const { body } = await summary(seller.token)
  expect(body.payments).toMatchObject({ refundedAmount: 700, disputedAmount: 1_500 })
})

test('200: a seller sees their own figures only', async () => {
  const [one, other] = [await sellingSeller(app), await sellingSeller(app)]
  await paidPayment(app, one, { amount: 5_000 })
  expect((await summary(other.token)).body.payments.paidAmount).toBe(0)
})

test('200: the answer says which period it is of, 366 days at most', async () => {
  const seller = await registerSeller(app)
  const { body } = await summary(seller.token, '?from=2024-01-01&to=2025-01-01')
  expect(body.period).toEqual({ from: '2024-01-01T03:00:00.000Z', to: '2025-01-01T03:00:00.000Z' })
  expect(body.timeseries).toHaveLength(366)
})

test.each([
  ['a period that ends before it begins', '?from=2026-05-02&to=2026-05-01', 'from'],
  ['an empty period', '?from=2026-05-01&to=2026-05-01', 'from'],
  ['a period of 367 days', '?from=2024-01-01&to=2025-01-02', 'from'],
  ['a start of long ago without an end', '?from=2001-01-01', 'from'],
  ['what is no date', '?from=yesterday', 'from'],
  ['an end that is no date', '?to=2026-02-30', 'to'],
])('400: %s', async (_what, query, field) => {
  const seller = await registerSeller(app)
  const { status, body } = await summary(seller.token, query)
  expect(status).toBe(400)
  expect(body.code).toBe('validation.failed')
  expect(body.errors[0]).toMatchObject({ in: 'query', path: expect.stringContaining(field) })
})

test('401 and 403: nobody without a token, and no administrator, who has no sales', async () => {
  expect((await summary(undefined)).status).toBe(401)
  expect((await summary(await adminToken(app))).status).toBe(403)
})
