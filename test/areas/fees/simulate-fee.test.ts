import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { bps } from '../../../src/domain/money.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  await app.services.ensureDefaultFees()
})

afterAll(() => app.close())

const simulate = (token: string, body: unknown) => app.api.post('fees/simulate', { token, body })

test('200: a Pix of 100 reais costs 99 centavos and is there today', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await simulate(seller.token, { method: 'pix', amount: 10_000 })
  expect(status).toBe(200)
  expect(body).toEqual({
    amount: 10_000,
    feeAmount: 99,
    netAmount: 9_901,
    reserveAmount: 0,
    settlements: [{ installment: 1, amount: 9_901, availableOn: saoPauloDate(app.clock.now()) }],
  })
})

test('200: a card in three parts arrives in three parts that sum to the net', async () => {
  const seller = await registerSeller(app)
  const { body } = await simulate(seller.token, { method: 'credit_card', amount: 10_000, installments: 3 })
  expect(body).toMatchObject({ feeAmount: 498, netAmount: 9_502 })
  expect(body.settlements.map(({ amount }: { amount: number }) => amount)).toEqual([3_168, 3_167, 3_167])
  expect(body.settlements[2].availableOn >= addDays(saoPauloDate(app.clock.now()), 90)).toBe(true)
})

test('200: a seller’s own fee and reserve are what counts for them', async () => {
  const seller = await registerSeller(app)
  await app.api.post('fees', {
    token: admin,
    body: { sellerId: seller.id, method: 'pix', percentage: 0, fixedAmount: 100 },
  })
  await app.services.transact(async (tx) => {
    const config = await tx.reserveConfigs.findBySeller(seller.id)
    const terms = { percentage: bps(1_000), days: 30, isActive: true }
    await tx.reserveConfigs.update(config?.id ?? '', terms, app.clock.now())
  })
  const { body } = await simulate(seller.token, { method: 'pix', amount: 10_000 })
  expect(body).toMatchObject({ feeAmount: 100, netAmount: 9_900, reserveAmount: 990 })
  expect((await simulate(admin, { method: 'pix', amount: 10_000 })).body).toMatchObject({
    feeAmount: 99,
    reserveAmount: 0,
  })
})

test('200: the fee never exceeds the payment', async () => {
  const seller = await registerSeller(app)
  const { body } = await simulate(seller.token, { method: 'boleto', amount: 300 })
  expect(body).toMatchObject({ feeAmount: 300, netAmount: 0 })
})

test('400: more than one installment of a boleto, and an amount of nothing', async () => {
  const seller = await registerSeller(app)
  for (const body of [{ method: 'boleto', amount: 1, installments: 2 }, { method: 'pix', amount: 0 }, {}]) {
    expect((await simulate(seller.token, body)).status).toBe(400)
  }
})

test('401: without a token', async () => {
  expect((await app.api.post('fees/simulate', { body: { method: 'pix', amount: 1 } })).status).toBe(401)
})

test('422: what has no fee is refused, not free', async () => {
  const seller = await registerSeller(app)
  await app.sql.query(`update fees set is_active = false where method = 'boleto'`)
  const { status, body } = await simulate(seller.token, { method: 'boleto', amount: 1_000 })
  expect(status).toBe(422)
  expect(body.code).toBe('fee.not_configured')
})
