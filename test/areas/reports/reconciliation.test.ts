import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { proveLedger } from '../../../src/ledger/ledger-proof.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import {
  advanceDays,
  bookDispute,
  bookLoss,
  bookProviderCost,
  bookRefund,
  bookReturn,
  completedWithdrawal,
  paidPayment,
} from '../../support/reports.ts'

let app: TestApp
let admin: string
let sellers: Seller[]
let period: string
let months: string[]

const METHODS = ['pix', 'boleto', 'credit_card'] as const

// What three sellers go through in three months, the third one less of it.
const live = async (round: number): Promise<void> => {
  for (const [index, seller] of sellers.entries()) {
    for (const [place, method] of METHODS.slice(0, 3 - index).entries()) {
      await paidPayment(app, seller, { method, amount: 10_007 + 3_331 * place + 101 * round + 17 * index })
    }
    const disputed = await paidPayment(app, seller, { amount: 5_003 })
    await bookRefund(app, seller.id, 1_009 + round)
    await bookRefund(app, seller.id, 500, true)
    await bookProviderCost(app, seller.id, 29)
    if (round === 1) await bookDispute(app, seller.id, { paymentId: disputed.id, amount: 2_003, feeAmount: 307 })
    if (round === 4) {
      const withdrawalId = await completedWithdrawal(app, seller, 2_500)
      await bookLoss(app, seller.id, 71 + index)
      if (index === 0) await bookReturn(app, seller.id, withdrawalId, 1_000, 33)
    }
  }
}

beforeAll(async () => {
  app = await startTestApp()
  sellers = [await sellingSeller(app), await sellingSeller(app), await sellingSeller(app)]
  await app.sql.query('update withdrawal_configs set fee_fixed_amount = 190, fee_percentage_bps = 100')
  const first = saoPauloDate(app.clock.now())
  for (let round = 0; round < 6; round += 1) {
    await live(round)
    advanceDays(app, 13)
    for (const { runOnce } of [app.services.jobs.settlePayments, app.services.jobs.releaseReserves]) await runOnce()
  }
  admin = await adminToken(app)
  for (const seller of sellers) {
    const login = await app.api.post('auth/login', { body: { email: seller.email, password: seller.password } })
    seller.token = login.body.tokens.accessToken
  }
  const last = addDays(saoPauloDate(app.clock.now()), 1)
  period = `from=${first}&to=${last}`
  months = [...new Set(Array.from({ length: 80 }, (_, day) => addDays(first, day).slice(0, 7)))]
}, 120_000)

afterAll(async () => {
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
  await app.close()
})

const get = async (path: string, token = admin) => {
  const { status, body } = await app.api.get(path, { token })
  expect(status).toBe(200)
  return body
}

const number = async (query: string): Promise<number> => Number((await app.sql.query(query)).rows[0].value)

const sumOf = (rows: readonly Record<string, number>[], field: string): number =>
  rows.reduce((total, row) => total + (row[field] ?? Number.NaN), 0)

const REVENUE = [
  'paidCount',
  'grossVolumeAmount',
  'paymentFeesAmount',
  'withdrawalFeesAmount',
  'disputeFeesAmount',
  'providerCostAmount',
  'refundedFeesAmount',
  'netRevenueAmount',
  'lossesAmount',
  'marginAmount',
]

test('the items of revenue sum to its totals, which are the same however it is grouped', async () => {
  const totals: unknown[] = []
  for (const groupBy of ['day', 'month', 'seller', 'method', 'provider']) {
    const { items, ...revenue } = await get(`admin/revenue?${period}&groupBy=${groupBy}`)
    for (const field of REVENUE) expect([groupBy, field, sumOf(items, field)]).toEqual([groupBy, field, revenue[field]])
    totals.push(revenue)
  }
  for (const revenue of totals) expect(revenue).toEqual(totals[0])
  const withFees = totals[0] as Record<string, number>
  for (const field of REVENUE) {
    expect([field, (withFees[field] ?? 0) > 0]).toEqual([field, true])
  }
})

test('what is of a provider is told by it, as far as a posting says whose it is', async () => {
  const { items } = await get(`admin/revenue?${period}&groupBy=provider`)
  const [sandbox, other] = items
  expect([sandbox.key, other.key, items.length]).toEqual(['sandbox', 'other', 2])
  const revenue = await get(`admin/revenue?${period}`)
  for (const field of ['paidCount', 'grossVolumeAmount', 'paymentFeesAmount', 'withdrawalFeesAmount']) {
    expect([field, sandbox[field]]).toEqual([field, revenue[field]])
  }
  expect(other.lossesAmount).toBe(revenue.lossesAmount)
})

test('revenue is what lies on the accounts of the ledger, and volume is what payers paid', async () => {
  const revenue = await get(`admin/revenue?${period}`)
  const account = (name: string) =>
    number(`select coalesce(sum(balance_amount), 0) as value from ledger_accounts where account = '${name}'`)
  expect(revenue.netRevenueAmount).toBe((await account('fee_revenue')) + (await account('provider_cost')))
  expect(revenue.grossVolumeAmount).toBe(
    await number('select sum(paid_amount) as value from payments where paid_at is not null'),
  )
  expect(revenue.paymentFeesAmount).toBe(
    await number('select sum(fee_amount) as value from payments where paid_at is not null'),
  )
})

test('the dashboards of the sellers sum to that of the platform and to the totals of transactions', async () => {
  const dashboards = []
  for (const seller of sellers) dashboards.push(await get(`dashboard/summary?${period}`, seller.token))
  const platform = await get(`admin/dashboard?${period}`)
  const total = await get(`admin/transactions/total?${period}`)
  const payments = dashboards.map((dashboard) => dashboard.payments)
  for (const field of ['createdCount', 'paidCount', 'paidAmount', 'refundedAmount', 'disputedAmount']) {
    expect([field, sumOf(payments, field)]).toEqual([field, platform.payments[field]])
    expect([field, platform.payments[field] > 0]).toEqual([field, true])
  }
  for (const [index, { method }] of platform.byMethod.entries()) {
    const ofMethod = dashboards.map((dashboard) => dashboard.byMethod[index])
    expect([method, sumOf(ofMethod, 'amount')]).toEqual([method, platform.byMethod[index].amount])
  }
  for (const [index, { date }] of platform.timeseries.entries()) {
    const ofDate = dashboards.map((dashboard) => dashboard.timeseries[index])
    for (const field of ['paidCount', 'paidAmount', 'netAmount']) {
      expect([date, sumOf(ofDate, field)]).toEqual([date, platform.timeseries[index][field]])
    }
  }
  expect(sumOf(platform.byMethod, 'amount')).toBe(platform.payments.paidAmount)
  expect(sumOf(platform.byStatus, 'count')).toBe(platform.payments.createdCount)
  expect(sumOf(platform.timeseries, 'paidAmount')).toBe(platform.payments.paidAmount)
  expect(total.grossAmount).toBe(platform.payments.paidAmount)
  expect(total.count).toBe(platform.payments.paidCount)
  expect(total.netAmount).toBe(sumOf(platform.timeseries, 'netAmount'))
  for (const field of ['count', 'grossAmount', 'feeAmount', 'netAmount']) {
    expect(sumOf(total.byMethod, field)).toBe(total[field])
    expect(sumOf(total.byStatus, field)).toBe(total[field])
  }
  const completed = dashboards.map((dashboard) => dashboard.withdrawals)
  expect(sumOf(completed, 'completedAmount')).toBe(platform.withdrawals.completedAmount)
  expect(platform.withdrawals.completedAmount).toBe(3 * 2_500 - 1_033)
})

test('the bills of all months sum to the revenue, and to what is in the sellers’ books and at their banks', async () => {
  const rows: Record<string, number>[] = []
  for (const month of months) rows.push(...(await get(`admin/billing?month=${month}`)).data)
  const revenue = await get(`admin/revenue?${period}`)
  for (const field of REVENUE.filter((name) => !['netRevenueAmount', 'lossesAmount', 'marginAmount'].includes(name))) {
    expect([field, sumOf(rows, field)]).toEqual([field, revenue[field]])
  }
  expect(sumOf(rows, 'totalFeesAmount')).toBe(revenue.netRevenueAmount + revenue.providerCostAmount)
  const held = await number(
    `select sum(balance_amount) as value from ledger_accounts
     where account in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')`,
  )
  expect(sumOf(rows, 'netAmount') - sumOf(rows, 'withdrawnAmount')).toBe(held)
})

test('each seller’s revenue is the sum of their bills and what an administrator sees of them alone', async () => {
  const bySeller = await get(`admin/revenue?${period}&groupBy=seller`)
  for (const seller of sellers) {
    const alone = await get(`admin/revenue?${period}&sellerId=${seller.id}`)
    const item = bySeller.items.find(({ key }: { key: string }) => key === seller.id)
    for (const field of REVENUE) expect([field, item[field]]).toEqual([field, alone[field]])
    const total = await get(`admin/transactions/total?${period}&sellerId=${seller.id}`)
    const dashboard = await get(`dashboard/summary?${period}`, seller.token)
    expect(total.grossAmount).toBe(dashboard.payments.paidAmount)
    expect(alone.grossVolumeAmount).toBe(dashboard.payments.paidAmount)
  }
})

test('periods that follow each other sum to the whole', async () => {
  const [from = '', to = ''] = period.split('&').map((part) => part.split('=')[1] ?? '')
  const middle = addDays(from, 20)
  const parts = [
    await get(`admin/revenue?from=${from}&to=${middle}`),
    await get(`admin/revenue?from=${middle}&to=${to}`),
  ]
  const whole = await get(`admin/revenue?${period}`)
  for (const field of REVENUE) expect([field, sumOf(parts, field)]).toEqual([field, whole[field]])
})

test('dashboards of periods that follow each other within a day sum to the whole', async () => {
  const [from, to] = period.split('&')
  for (const { id, token } of sellers) {
    const { rows } = await app.sql.query<{ at: Date }>(
      `select distinct created_at as at from ledger_postings
       where seller_id = $1 and kind in ('refund_requested', 'dispute_lost', 'withdrawal_completed') limit 5`,
      [id],
    )
    const whole = await get(`dashboard/summary?${period}`, token)
    for (const at of rows.map((row) => row.at.toISOString())) {
      const parts = [
        await get(`dashboard/summary?${from}&to=${at}`, token),
        await get(`dashboard/summary?from=${at}&${to}`, token),
      ]
      for (const field of ['paidCount', 'paidAmount', 'refundedAmount', 'disputedAmount']) {
        const ofParts = sumOf(
          parts.map(({ payments }) => payments),
          field,
        )
        expect([at, field, ofParts]).toEqual([at, field, whole.payments[field]])
      }
      const arrived = sumOf(
        parts.map(({ withdrawals }) => withdrawals),
        'completedAmount',
      )
      expect([at, arrived]).toEqual([at, whole.withdrawals.completedAmount])
    }
    expect(rows.length).toBeGreaterThan(0)
  }
})
