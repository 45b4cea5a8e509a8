import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../src/domain/calendar.ts'
import { LEDGER_ACCOUNTS, TRANSFER_KINDS } from '../../src/domain/ledger.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken, registerSeller } from '../support/factories.ts'
import { rollUp } from '../support/reports.ts'

let app: TestApp
let admin: string
let sellerId: string
let today: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  sellerId = (await registerSeller(app)).id
  today = saoPauloDate(app.clock.now())
})

afterAll(() => app.close())

type Dimensions = { method?: string; status?: string; account?: string; kind?: string; direction?: string }

const change = (
  subject: string,
  day: string,
  { method, status, account, kind, direction }: Dimensions,
  amount: number,
) =>
  app.sql.query(
    `insert into daily_total_changes
       (seller_id, subject, day, method, status, account, kind, direction, rows_count, amount, fee_amount, net_amount)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, 0, 0)`,
    [sellerId, subject, day, method, status, account, kind, direction, amount],
  )

// Each combination brings another amount, every third one a debit, so that a sum tells what is in it.
const postEverything = async (): Promise<void> => {
  let place = 0
  for (const account of LEDGER_ACCOUNTS) {
    for (const kind of TRANSFER_KINDS) {
      const sign = place % 3 === 0 ? -1 : 1
      const dimensions = { account, kind, direction: sign < 0 ? 'debit' : 'credit' }
      await change('posting', today, dimensions, sign * (1_000_003 * place + place ** 3))
      place += 1
    }
  }
}

const reports = async () => {
  const paths = [
    `admin/revenue?groupBy=seller&from=${addDays(today, -40)}`,
    `admin/revenue?groupBy=seller&sellerId=${sellerId}`,
    `admin/revenue?groupBy=seller&from=${app.clock.now().toISOString()}`,
    `admin/billing?month=${today.slice(0, 7)}`,
    `admin/billing?month=${today.slice(0, 7)}&sellerId=${sellerId}`,
  ]
  const answers = []
  for (const path of paths) {
    const { status, body, text } = await app.api.get(path, { token: admin })
    if (status !== 200) throw new Error(`${path}: ${text}`)
    answers.push(body.items ?? body)
  }
  return answers
}

test('every account and kind of posting counts among the same sums before and after rolling up', async () => {
  await change('payment_paid', today, { method: 'pix', status: 'paid' }, 77_777)
  await postEverything()
  const before = await reports()
  const { id, month, sellerName, sellerEmail, company, ...amounts } = before[3].data[0]
  expect(Object.entries(amounts).filter(([, amount]) => amount === 0)).toEqual([])
  await rollUp(app)
  expect(await reports()).toEqual(before)
})

test('what was earned with every kind of transfer is in exactly one column, so that the columns sum to the account', async () => {
  for (const kind of TRANSFER_KINDS) {
    const { rows } = await app.sql.query(
      `select payment_fees_amount, withdrawal_fees_amount, dispute_fees_amount, -refunded_fees_amount as given_back
       from daily_revenue_of(row($1, 'posting', $2, null, null, 'fee_revenue', $3, 'credit', null, null, 1, 7, 0, 0)::daily_total_changes)`,
      [sellerId, today, kind],
    )
    expect([kind, Object.values(rows[0]).filter((amount) => amount !== null)]).toEqual([kind, ['7']])
  }
})

test('what is taken back leaves nothing to show, nor to bill', async () => {
  await app.sql.query('truncate daily_totals, daily_revenue')
  expect(await reports()).toMatchObject([[], [], [], { data: [], totalRecords: 0 }, { totalRecords: 0 }])
  await change('payment_paid', today, { method: 'pix', status: 'paid' }, 500)
  await rollUp(app)
  expect((await reports())[0]).toMatchObject([{ key: sellerId, paidCount: 1, grossVolumeAmount: 500 }])
  await app.sql.query(`
    insert into daily_total_changes (seller_id, subject, day, method, status, rows_count, amount, fee_amount, net_amount)
    select seller_id, subject, starts_on, method, status, -rows_count, -amount, 0, 0 from daily_totals
    where span = 'day' and seller_id = '${sellerId}'`)
  expect((await reports())[0]).toEqual([])
  await rollUp(app)
  expect((await reports())[0]).toEqual([])
})
