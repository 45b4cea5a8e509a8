import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNT_PLAN } from '../../../src/domain/account-plan.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../../src/domain/ledger.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'
import { sellingSeller } from '../../support/payments.ts'
import { advanceDays, bookDispute, bookRefund, completedWithdrawal, paidPayment } from '../../support/reports.ts'

type Line = Record<string, string>
type Amounts = { debitAmount: number; creditAmount: number }

let app: TestApp
let admin: string
let seller: Seller
let first: string
let last: string

const adjust = async (amount: number, body: object) => {
  const path = 'admin/adjustments'
  const answer = await app.api.post(path, {
    token: admin,
    body: { sellerId: seller.id, amount, reason: 'Why.', ...body },
  })
  expect(answer.status).toBe(201)
}

// Everything that the platform earns and spends by, in two months.
beforeAll(async () => {
  app = await startTestApp()
  // The first of a month, so that there is one more whole one.
  const today = saoPauloDate(app.clock.now())
  const next = `${addDays(`${today.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
  app.clock.setOffsetMs(startOfSaoPauloDay(next).getTime() - Date.now() + 12 * 3_600_000)
  first = next
  seller = await sellingSeller(app)
  await app.sql.query('update withdrawal_configs set fee_fixed_amount = 190')
  admin = await adminToken(app)
  const cost = { provider: 'sandbox', method: 'pix', percentage: 0.5, fixedAmount: 7 }
  await app.api.put('admin/provider-costs', { token: admin, body: { costs: [cost] } })
  for (const method of ['pix', 'boleto', 'credit_card'] as const)
    await paidPayment(app, seller, { method, amount: 20_003 })
  await completedWithdrawal(app, seller, 2_500)
  advanceDays(app, 33)
  await app.services.jobs.settlePayments.runOnce()
  const disputed = await paidPayment(app, seller, { amount: 5_003 })
  await bookDispute(app, seller.id, { paymentId: disputed.id, amount: 2_003, feeAmount: 307 })
  await bookRefund(app, seller.id, 500, true)
  admin = await adminToken(app)
  await adjust(-90_000, { allowNegative: true, against: 'clearing' })
  await adjust(100, { kind: 'write_off' })
  last = addDays(saoPauloDate(app.clock.now()), 1)
})

afterAll(() => app.close())

const journal = async (query: string, token = admin): Promise<Line[]> => {
  const { status, text, headers } = await app.api.get(`admin/journal?${query}`, { token })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [header = '', ...lines] = text.split('\r\n').slice(0, -1)
  const columns = header.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, at) => [columns[at] ?? 'rest', value])))
}

const amountsOf = (lines: readonly Line[]): Amounts =>
  lines.reduce<Amounts>(
    (sum, { debitAmount, creditAmount }) => ({
      debitAmount: sum.debitAmount + Number(debitAmount),
      creditAmount: sum.creditAmount + Number(creditAmount),
    }),
    { debitAmount: 0, creditAmount: 0 },
  )

const balanceOf = (lines: readonly Line[], account: LedgerAccount): number => {
  const { debitAmount, creditAmount } = amountsOf(lines.filter((line) => line.account === account))
  return creditAmount - debitAmount
}

const period = () => `from=${first}&to=${last}`
const get = async (path: string) => (await app.api.get(path, { token: admin })).body

test('200: every transfer is an entry whose debits and credits are the same, on accounts of the plan', async () => {
  const lines = await journal(period())
  const { rows } = await app.sql.query<{ count: string }>('select count(*) from ledger_postings')
  expect(lines.length).toBe(Number(rows[0]?.count))
  for (const [, entry] of Map.groupBy(lines, ({ transferId }) => transferId)) {
    const { debitAmount, creditAmount } = amountsOf(entry)
    expect([debitAmount > 0, debitAmount]).toEqual([true, creditAmount])
    // They stand together, one below the other.
    expect(entry.map(({ leg }) => Number(leg))).toEqual(entry.map((_, index) => index + 1))
    expect(lines.indexOf(entry.at(-1) as Line) - lines.indexOf(entry[0] as Line)).toBe(entry.length - 1)
  }
  for (const { account, accountCode, accountName } of lines) {
    expect({ code: accountCode, name: accountName }).toEqual(ACCOUNT_PLAN[account as LedgerAccount])
  }
  expect(lines.map(({ createdAt }) => createdAt)).toEqual(lines.map(({ createdAt }) => createdAt).toSorted())
})

test('200: days and months come to what their entries come to', async () => {
  const entries = await journal(period())
  for (const [groupBy, length] of [
    ['day', 10],
    ['month', 7],
  ] as const) {
    const totals = await journal(`${period()}&groupBy=${groupBy}`)
    const expected = Map.groupBy(entries, ({ date, kind, account }) => `${date?.slice(0, length)} ${kind} ${account}`)
    expect(totals.length).toBe(expected.size)
    for (const total of totals) {
      const group = expected.get(`${total.period} ${total.kind} ${total.account}`) ?? []
      expect([total, group.length]).toEqual([total, Number(total.postingsCount)])
      expect(amountsOf([total])).toEqual(amountsOf(group))
    }
    expect(new Set(totals.map((total) => total.period)).size).toBe(2)
  }
})

test('200: its accounts are those of the revenue, the bills and the treasury', async () => {
  const lines = await journal(`${period()}&groupBy=day`)
  const revenue = await get(`admin/revenue?${period()}`)
  const { paymentFeesAmount, withdrawalFeesAmount, disputeFeesAmount, refundedFeesAmount } = revenue
  expect(paymentFeesAmount * withdrawalFeesAmount * disputeFeesAmount * revenue.providerCostAmount).toBeGreaterThan(0)
  const fees = paymentFeesAmount + withdrawalFeesAmount + disputeFeesAmount - refundedFeesAmount
  expect(balanceOf(lines, 'fee_revenue')).toBe(fees)
  expect(balanceOf(lines, 'provider_cost')).toBe(-revenue.providerCostAmount)
  const months = [...new Set(lines.map((line) => line.period?.slice(0, 7)))]
  for (const month of months) {
    const { data } = await get(`admin/billing?month=${month}`)
    const ofMonth = lines.filter((line) => line.period?.startsWith(month ?? ''))
    expect(balanceOf(ofMonth, 'fee_revenue')).toBe(data[0].totalFeesAmount)
  }
  const { accounts } = await get('admin/treasury')
  for (const { account, amount } of accounts) expect([account, balanceOf(lines, account)]).toEqual([account, amount])
  expect(accounts).toHaveLength(LEDGER_ACCOUNTS.length)
  expect(balanceOf(lines, 'losses')).toBe(-100)
})

test('200: one book alone, more of it than one read takes, each posting once', async () => {
  const { id } = await registerSeller(app)
  const transfers = Array.from({ length: 2_600 }, (_, index) =>
    movement(id, app.services.newId(), 'clearing', 'available', index + 1),
  )
  await app.services.transact((tx) => tx.ledger.post(transfers, app.clock.now()))
  const lines = await journal(`sellerId=${id}`)
  expect(lines.length).toBe(5_200)
  expect(new Set(lines.map(({ transferId, leg }) => `${transferId} ${leg}`)).size).toBe(5_200)
  expect(amountsOf(lines)).toEqual({ debitAmount: (2_600 * 2_601) / 2, creditAmount: (2_600 * 2_601) / 2 })
})

test('400: a period of more than a year, and a grouping that is none', async () => {
  for (const query of ['from=2024-01-01&to=2026-01-01', 'groupBy=seller']) {
    const { status, body } = await app.api.get(`admin/journal?${query}`, { token: admin })
    expect([status, body.code]).toEqual([400, 'validation.failed'])
  }
})

test('401 and 403: the books are for finance alone', async () => {
  expect((await app.api.get('admin/journal')).status).toBe(401)
  const other = await registerSeller(app)
  expect((await app.api.get('admin/journal', { token: other.token })).status).toBe(403)
})
