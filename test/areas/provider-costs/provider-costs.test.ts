import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { findings, paidCard, paidPix } from '../../support/refunds.ts'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const PIX = {
  provider: 'sandbox',
  method: 'pix',
  installmentsFrom: 1,
  installmentsTo: 1,
  percentage: 0.33,
  fixedAmount: 2,
}
const CARD = { ...PIX, method: 'credit_card', installmentsTo: 6, percentage: 2.5, fixedAmount: 0 }

const set = (costs: object[], as = token) => app.api.put('admin/provider-costs', { token: as, body: { costs } })
const bookOf = (id: string) => app.services.read.ledger.findBalances(id)

test('200: what a payment costs is posted with it, by provider, method and installments', async () => {
  expect((await set([PIX, CARD])).status).toBe(200)
  const seller = await sellingSeller(app)
  await paidPix(app, seller)
  // 0.33 % of 100 reais, and 2 centavos.
  expect(await bookOf(seller.id)).toMatchObject({ provider_cost: -35, clearing: -9_965 })
  const cards = await sellingSeller(app)
  const amount = 10_000
  await paidCard(app, cards, { installments: 3, amount })
  const cost = Math.floor((amount * 250 + 5_000) / 10_000)
  expect(await bookOf(cards.id)).toMatchObject({ provider_cost: -cost, clearing: cost, receivable: -amount })
})

test('200: a cost is in revenue and margin, by seller and by method', async () => {
  await set([PIX])
  const seller = await sellingSeller(app)
  await paidPix(app, seller)
  const revenue = async (groupBy: string) =>
    (await app.api.get(`admin/revenue?groupBy=${groupBy}&sellerId=${seller.id}`, { token })).body
  const bySeller = await revenue('seller')
  expect(bySeller).toMatchObject({ providerCostAmount: 35, netRevenueAmount: bySeller.paymentFeesAmount - 35 })
  const byMethod = await revenue('method')
  expect(byMethod.items.find(({ key }: { key: string }) => key === 'pix')).toMatchObject({ providerCostAmount: 35 })
})

test('200: what is not in the table costs nothing, and a new table holds for new payments', async () => {
  await set([])
  const seller = await sellingSeller(app)
  await paidPix(app, seller)
  expect((await bookOf(seller.id)).provider_cost).toBe(0)
  await set([PIX])
  await paidPix(app, seller)
  expect((await bookOf(seller.id)).provider_cost).toBe(-35)
  const { body } = await app.api.get('admin/provider-costs', { token })
  expect(body.costs).toMatchObject([PIX])
})

test.each([
  [[PIX, { ...PIX, percentage: 1 }]],
  [[{ ...PIX, installmentsFrom: 2 }]],
  [[{ ...PIX, percentage: 101 }]],
  [[{ ...PIX, provider: 'Not a name' }]],
  [[{ ...PIX, more: 1 }]],
])('400: the costs %j', async (costs) => {
  expect((await set(costs)).status).toBe(400)
})

test('401 and 403: only administrators', async () => {
  const seller = await sellingSeller(app)
  expect((await app.api.get('admin/provider-costs')).status).toBe(401)
  expect((await app.api.get('admin/provider-costs', { token: seller.token })).status).toBe(403)
  expect((await set([], seller.token)).status).toBe(403)
})
