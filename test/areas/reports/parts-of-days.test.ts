import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { bookDispute, bookProviderCost, bookRefund, paidPayment, rollUp } from '../../support/reports.ts'

const HOUR_MS = 3_600_000
// The start of a day, and two moments within it.
const HOURS = [0, 11, 13]
const DAYS = 3

let app: TestApp
let admin: string
let often: Seller
let seldom: Seller
let instants: Date[]

const at = (instant: Date): void => app.clock.setOffsetMs(instant.getTime() - Date.now())

const login = async ({ email, password }: Seller): Promise<string> =>
  (await app.api.post('auth/login', { body: { email, password } })).body.tokens.accessToken

// Something at each place, and seldom something of another seller: early on the first day and late on the second, so that a
// period from 11 to 13 o'clock takes both off its days again.
const live = async (place: number): Promise<void> => {
  const amount = 10_000 + 7 ** (place % 5)
  const method = place % 2 === 0 ? 'pix' : 'boleto'
  const { id: paymentId } = await paidPayment(app, often, { method, amount })
  const dispute = { paymentId, method, amount: 300, feeAmount: 70 + place } as const
  if (place % HOURS.length === 0) await bookDispute(app, often.id, dispute)
  await bookRefund(app, often.id, 100 + place)
  if (place === 0) await bookProviderCost(app, seldom.id, 29)
  if (place === 5) await paidPayment(app, seldom, { amount: 5_000 })
}

// Between each two instants a little happens, and some of it is rolled up: the totals are exact either way.
beforeAll(async () => {
  app = await startTestApp()
  often = await sellingSeller(app)
  seldom = await sellingSeller(app)
  const today = saoPauloDate(app.clock.now())
  const starts = Array.from({ length: DAYS }, (_, day) => startOfSaoPauloDay(addDays(today, day + 1)).getTime())
  instants = starts.flatMap((start) => HOURS.map((hour) => new Date(start + hour * HOUR_MS)))
  for (const [place, instant] of instants.entries()) {
    at(new Date(instant.getTime() + HOUR_MS / 2))
    await live(place)
    if (place % 4 === 0) await rollUp(app)
  }
  at(new Date(startOfSaoPauloDay(addDays(today, DAYS + 1)).getTime() + HOUR_MS))
  admin = await adminToken(app)
  often.token = await login(often)
}, 120_000)

afterAll(() => app.close())

const pairs = (): [Date, Date][] =>
  instants.flatMap((from, place) => instants.slice(place + 1).map((to): [Date, Date] => [from, to]))

const get = async (path: string, token: string) => {
  const { status, body, text } = await app.api.get(path, { token })
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return body
}

const query = (from: Date, to: Date): string => `from=${from.toISOString()}&to=${to.toISOString()}`

const row = async (text: string, values: unknown[]): Promise<Record<string, unknown>> => {
  const { rows } = await app.sql.query(text, values)
  return Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]))
}

test('what was paid, and earned, between any two instants is the sum of its rows', async () => {
  for (const [from, to] of pairs()) {
    const total = await get(`admin/transactions/total?${query(from, to)}`, admin)
    const revenue = await get(`admin/revenue?${query(from, to)}`, admin)
    const paid = await row(
      `select count(*) as count, coalesce(sum(paid_amount), 0) as "grossAmount", coalesce(sum(fee_amount), 0) as "feeAmount"
       from payments where paid_at >= $1 and paid_at < $2`,
      [from, to],
    )
    const earned = await row(
      `select coalesce(sum(amount), 0) as "netRevenueAmount"
       from ledger_postings where account in ('fee_revenue', 'provider_cost') and created_at >= $1 and created_at < $2`,
      [from, to],
    )
    expect({ from, to, ...total }).toMatchObject({ from, to, ...paid })
    expect({ from, to, ...revenue }).toMatchObject({ from, to, ...earned, paidCount: paid.count })
  }
}, 60_000)

test('revenue by seller names those who sold or were charged between the two instants, and nobody else', async () => {
  for (const [from, to] of pairs()) {
    const { rows } = await app.sql.query(
      `select seller_id from payments where paid_at >= $1 and paid_at < $2
       union select seller_id from ledger_postings
       where account in ('fee_revenue', 'provider_cost') and created_at >= $1 and created_at < $2 order by 1`,
      [from, to],
    )
    const { items } = await get(`admin/revenue?${query(from, to)}&groupBy=seller`, admin)
    const keys = items.map(({ key }: { key: string }) => key).sort()
    expect([from, to, keys]).toEqual([from, to, rows.map(({ seller_id }) => seller_id)])
  }
}, 60_000)

test('revenue by method is what was earned with payments of each, also by their disputes', async () => {
  for (const [from, to] of pairs()) {
    const { rows } = await app.sql.query(
      `select coalesce(payment.method, 'other') as key, sum(posting.amount)::int as "netRevenueAmount"
       from ledger_postings as posting
       join ledger_transfers as transfer on transfer.id = posting.transfer_id
       left join disputes on disputes.id = transfer.reference_id
       left join payments as payment on payment.id = coalesce(disputes.payment_id, transfer.reference_id)
       where account in ('fee_revenue', 'provider_cost') and posting.created_at >= $1 and posting.created_at < $2
       group by 1`,
      [from, to],
    )
    const earned = Object.fromEntries(rows.map(({ key, netRevenueAmount }) => [key, netRevenueAmount]))
    const { items } = await get(`admin/revenue?${query(from, to)}&groupBy=method`, admin)
    for (const { key, netRevenueAmount } of items) {
      expect([from, to, key, netRevenueAmount]).toEqual([from, to, key, earned[key] ?? 0])
    }
  }
}, 60_000)

test('a dashboard, and the totals of lists, between any two instants are of what lies between them', async () => {
  for (const [from, to] of pairs()) {
    const { payments } = await get(`dashboard/summary?${query(from, to)}`, often.token)
    const made = await row(
      `select count(*) as "createdCount", count(*) filter (where paid_at < $3) as "paidCount"
       from payments where seller_id = $1 and created_at >= $2 and created_at < $3`,
      [often.id, from, to],
    )
    expect({ from, to, ...payments }).toMatchObject({ from, to, ...made })
    for (const list of ['payments', 'transactions', 'events']) {
      const { data, totalRecords } = await get(`${list}?perPage=100&${query(from, to)}`, often.token)
      const { rows } = await app.sql.query(
        `select count(*)::int as total from ${list === 'transactions' ? 'ledger_postings' : list}
         where seller_id = $1 and created_at >= $2 and created_at < $3
           ${list === 'transactions' ? "and account in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')" : ''}`,
        [often.id, from, to],
      )
      expect([list, from, to, totalRecords]).toEqual([list, from, to, rows[0].total])
      expect([list, from, to, data.length]).toEqual([list, from, to, Math.min(100, totalRecords)])
    }
  }
}, 60_000)
