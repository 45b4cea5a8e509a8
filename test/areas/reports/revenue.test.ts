import { afterAll, beforeAll, expect, test } from 'vitest'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { bookDispute, bookProviderCost, completedWithdrawal, paidPayment, recount } from '../../support/reports.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const revenue = (query = '', token: string | undefined = admin) => app.api.get(`admin/revenue${query}`, { token })

test('200: each kind of fee has its amount, and its method', async () => {
  const seller = await sellingSeller(app)
  await app.sql.query('update withdrawal_configs set fee_fixed_amount = 100')
  const payment = await paidPayment(app, seller, { amount: 50_000 })
  await paidPayment(app, seller, { method: 'boleto', amount: 50_000 })
  await bookDispute(app, seller.id, { paymentId: payment.id, amount: 1_000, feeAmount: 250 })
  await bookProviderCost(app, seller.id, 40)
  await completedWithdrawal(app, seller, 2_000)
  const { rows } = await app.sql.query('select method, fee_amount from payments order by id')
  const [pixFee, boletoFee] = rows.map((row) => Number(row.fee_amount))
  const fees = (pixFee ?? 0) + (boletoFee ?? 0)
  const { status, body } = await revenue(`?sellerId=${seller.id}&groupBy=method`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    paidCount: 2,
    grossVolumeAmount: 100_000,
    paymentFeesAmount: fees,
    withdrawalFeesAmount: 100,
    disputeFeesAmount: 250,
    providerCostAmount: 40,
    refundedFeesAmount: 0,
    netRevenueAmount: fees + 100 + 250 - 40,
    takeRatePercentage: Math.round((fees + 350) / 10) / 100,
  })
  const items = Object.fromEntries(body.items.map((item: { key: string }) => [item.key, item]))
  expect(Object.keys(items)).toEqual(['pix', 'boleto', 'credit_card', 'other'])
  expect(items.pix).toMatchObject({ name: null, paymentFeesAmount: pixFee, disputeFeesAmount: 250 })
  expect(items.boleto).toMatchObject({ grossVolumeAmount: 50_000, paymentFeesAmount: boletoFee, disputeFeesAmount: 0 })
  expect(items.other).toMatchObject({ paidCount: 0, withdrawalFeesAmount: 100, providerCostAmount: 40 })
})

test('200: by day and by month every part of the period is there, by seller those who did something', async () => {
  const seller = await sellingSeller(app)
  await paidPayment(app, seller, { amount: 9_000 })
  const days = (await revenue(`?sellerId=${seller.id}`)).body.items
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ key: saoPauloDate(app.clock.now()), grossVolumeAmount: 9_000 })
  const months = (await revenue('?from=2026-01-31&to=2026-03-02&groupBy=month')).body.items
  expect(months.map(({ key }: { key: string }) => key)).toEqual(['2026-01', '2026-02', '2026-03'])
  const sellers = (await revenue('?groupBy=seller')).body.items
  const own = sellers.find(({ key }: { key: string }) => key === seller.id)
  expect(own).toMatchObject({ name: 'Maria da Silva', grossVolumeAmount: 9_000 })
})

test('200: beyond a thousand sellers the smallest are one group, so that the items still sum to the total', async () => {
  const platform = await startTestApp()
  const template = await sellingSeller(platform)
  const { id } = await paidPayment(platform, template, { amount: 10_000 })
  await platform.sql.query(
    `insert into payments select (json_populate_record(p, json_build_object(
       'seller_id', gen_random_uuid(), 'id', gen_random_uuid(), 'paid_amount', 1000 + n, 'amount', 1000 + n))).*
     from payments p, generate_series(1, 1004) n where p.id = $1`,
    [id],
  )
  await recount(platform)
  const { body } = await platform.api.get('admin/revenue?groupBy=seller', { token: await adminToken(platform) })
  expect(body.items).toHaveLength(1_001)
  expect(body.items[0]).toMatchObject({ key: template.id, grossVolumeAmount: 10_000 })
  const others = 1_001 + 1_002 + 1_003 + 1_004 + 1_005
  expect(body.items.at(-1)).toMatchObject({ key: 'other', name: null, paidCount: 5, grossVolumeAmount: others })
  const sum = body.items.reduce(
    (total: number, item: { grossVolumeAmount: number }) => total + item.grossVolumeAmount,
    0,
  )
  expect(sum).toBe(body.grossVolumeAmount)
  await platform.close()
})

test('200: without volume the take rate is zero', async () => {
  const { body } = await revenue('?from=2020-01-01&to=2020-01-02')
  expect(body).toMatchObject({ grossVolumeAmount: 0, netRevenueAmount: 0, takeRatePercentage: 0 })
})

test('400: a grouping that is none, and a period that is too long', async () => {
  expect((await revenue('?groupBy=week')).status).toBe(400)
  expect((await revenue('?from=2020-01-01&to=2022-01-01')).status).toBe(400)
  expect((await revenue('?from=1800-01-01')).status).toBe(400)
})

test('401 and 403: administrators only', async () => {
  expect((await app.api.get('admin/revenue')).status).toBe(401)
  expect((await revenue('', (await registerSeller(app)).token)).status).toBe(403)
})
