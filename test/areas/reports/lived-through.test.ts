import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { proveLedger } from '../../../src/ledger/ledger-proof.ts'
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { disputed, paidBoleto, paidCard, paidPix, postRefund, reservingSeller, resolve } from '../../support/refunds.ts'
import { configure, requested } from '../../support/withdrawals.ts'

const WITHDRAWAL_FEE = 190
const DISPUTE_FEE = 250
const REFUNDED = 1_009

let app: TestApp
let admin: string
let seller: Seller
let period: string
let months: string[]
let disputedAmount: number

const ok = ({ status, text, body }: Answer): Answer['body'] => {
  if (status >= 300) throw new Error(`the server answered ${status}: ${text}`)
  return body
}

const get = async (path: string, token = admin) => ok(await app.api.get(path, { token }))
const advance = async (days: number) =>
  ok(await app.api.post('sandbox/clock/advance', { token: admin, body: { days } }))

// Everything over the API, and time moved by the sandbox: nothing is written behind the platform's back.
beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await reservingSeller(app)
  const first = saoPauloDate(app.clock.now())
  await configure(app, seller.id, { feeFixedAmount: WITHDRAWAL_FEE, minAmount: 1 })
  ok(await app.api.put('admin/dispute-fees/med', { token: admin, body: { feeAmount: DISPUTE_FEE } }))
  const refunded = await paidPix(app, seller, { amount: 30_007 })
  const lost = await paidPix(app, seller)
  await paidBoleto(app, seller)
  await paidCard(app, seller)
  ok(await postRefund(app, seller, refunded.id, { amount: REFUNDED }))
  const dispute = await disputed(app, seller, lost.id)
  disputedAmount = dispute.amount
  ok(await resolve(app, seller, dispute.id, 'lost'))
  const { id } = await requested(app, seller, { amount: 5_000 })
  ok(await app.api.post(`admin/withdrawals/${id}/approve`, { token: admin }))
  await advance(40)
  await paidPix(app, seller, { amount: 7_003 })
  await advance(60)
  const last = addDays(saoPauloDate(app.clock.now()), 1)
  period = `from=${first}&to=${last}`
  months = [...new Set(Array.from({ length: 102 }, (_, day) => addDays(first, day).slice(0, 7)))]
}, 180_000)

afterAll(async () => {
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
  await app.close()
})

const billed = async () => {
  const pages = await Promise.all(months.map((month) => get(`admin/billing?month=${month}`)))
  const bills: Record<string, number>[] = pages.flatMap(({ data }) => data)
  return (field: string) => bills.reduce((sum, bill) => sum + (bill[field] ?? Number.NaN), 0)
}

test('dashboards, revenue, totals and bills agree on what was paid and what it cost', async () => {
  const [dashboard, platform] = [
    await get(`dashboard/summary?${period}`, seller.token),
    await get(`admin/dashboard?${period}`),
  ]
  const [revenue, total] = [await get(`admin/revenue?${period}`), await get(`admin/transactions/total?${period}`)]
  const bills = await billed()
  expect(dashboard.payments).toStrictEqual(platform.payments)
  const volumes = [
    revenue.grossVolumeAmount,
    dashboard.payments.paidAmount,
    total.grossAmount,
    bills('grossVolumeAmount'),
  ]
  expect(volumes).toStrictEqual(Array(4).fill(30_007 + 3 * 10_000 + 7_003))
  expect([revenue.paidCount, total.count, bills('paidCount')]).toStrictEqual(Array(3).fill(5))
  expect([total.feeAmount, bills('paymentFeesAmount')]).toStrictEqual(Array(2).fill(revenue.paymentFeesAmount))
  expect([revenue.withdrawalFeesAmount, bills('withdrawalFeesAmount')]).toStrictEqual(Array(2).fill(WITHDRAWAL_FEE))
  expect([revenue.disputeFeesAmount, bills('disputeFeesAmount')]).toStrictEqual(Array(2).fill(DISPUTE_FEE))
  expect(total.netAmount).toBe(total.grossAmount - total.feeAmount)
  const fees = revenue.paymentFeesAmount + WITHDRAWAL_FEE + DISPUTE_FEE - revenue.refundedFeesAmount
  expect([bills('totalFeesAmount'), revenue.netRevenueAmount + revenue.providerCostAmount]).toStrictEqual([fees, fees])
})

test('they agree on what went back, and what is left is the balance and the statement', async () => {
  const [dashboard, balance] = [
    await get(`dashboard/summary?${period}`, seller.token),
    await get('balance', seller.token),
  ]
  const bills = await billed()
  expect([dashboard.payments.refundedAmount, bills('refundsAmount')]).toStrictEqual([REFUNDED, REFUNDED])
  expect([dashboard.payments.disputedAmount, bills('lostDisputesAmount')]).toStrictEqual([
    disputedAmount,
    disputedAmount,
  ])
  expect(dashboard.withdrawals.completedAmount).toBe(5_000)
  expect(bills('netAmount') - bills('withdrawnAmount')).toBe(balance.totalAmount)
  const headers = { accept: 'text/csv' }
  const { text } = await app.api.get('transactions', { token: seller.token, headers })
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const [direction, amount] = ['direction', 'amount'].map((name) => head.split(',').indexOf(name))
  const moved = lines
    .map((line) => line.split(','))
    .map((cells) => Number(cells[amount ?? -1]) * (cells[direction ?? -1] === 'credit' ? 1 : -1))
  expect(lines.length).toBeGreaterThan(10)
  expect(moved.reduce((sum, value) => sum + value, 0)).toBe(balance.totalAmount)
})
