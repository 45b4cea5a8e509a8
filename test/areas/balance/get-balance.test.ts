import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { centavos } from '../../../src/domain/money.ts'
import { reserveReleaseAt } from '../../../src/domain/reserve.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'
import { insertPayment, insertSettlement, type RowTarget } from '../../support/payment-rows.ts'

let app: TestApp
let rows: RowTarget

beforeAll(async () => {
  app = await startTestApp()
  rows = { sql: app.sql, newId: app.services.newId }
})

afterAll(() => app.close())

const newId = () => app.services.newId()

const inDays = (days: number) => addDays(saoPauloDate(app.clock.now()), days)

test('200: a new seller has nothing', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await app.api.get('balance', { token: seller.token })
  expect(status).toBe(200)
  expect(body).toEqual({
    sellerId: seller.id,
    currency: 'BRL',
    availableAmount: 0,
    pendingAmount: 0,
    reservedAmount: 0,
    frozenReserveAmount: 0,
    blockedAmount: 0,
    withdrawingAmount: 0,
    totalAmount: 0,
    nextReleases: [],
    asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
})

test('200: every bucket counts towards the total, the platform’s accounts do not', async () => {
  const seller = await registerSeller(app)
  const moves = [
    movement(seller.id, newId(), 'clearing', 'available', 100),
    movement(seller.id, newId(), 'receivable', 'pending', 20),
    movement(seller.id, newId(), 'clearing', 'reserved', 3),
    movement(seller.id, newId(), 'clearing', 'blocked', 4),
    movement(seller.id, newId(), 'clearing', 'withdrawing', 5),
    movement(seller.id, newId(), 'clearing', 'fee_revenue', 1_000),
  ]
  await app.services.transact((tx) => tx.ledger.post(moves, app.clock.now()))
  const { body } = await app.api.get('balance', { token: seller.token })
  expect(body).toMatchObject({
    availableAmount: 100,
    pendingAmount: 20,
    reservedAmount: 3,
    blockedAmount: 4,
    withdrawingAmount: 5,
    totalAmount: 132,
  })
})

test('200: what arrives is told by São Paulo date, settlements and reserves side by side', async () => {
  const seller = await registerSeller(app)
  const paymentId = await insertPayment(rows, seller.id)
  await insertSettlement(rows, { sellerId: seller.id, paymentId, installment: 1, amount: 300, availableOn: inDays(30) })
  await insertSettlement(rows, { sellerId: seller.id, paymentId, installment: 2, amount: 200, availableOn: inDays(60) })
  const held = { sellerId: seller.id, paymentId, status: 'held' as const, releasedAmount: centavos(0) }
  const now = app.clock.now()
  const hold = (amount: number, consumed: number, days: number) => ({
    ...held,
    id: newId(),
    method: 'pix' as const,
    amount: centavos(amount),
    consumedAmount: centavos(consumed),
    heldAt: now,
    releaseAt: reserveReleaseAt(now, days),
    createdAt: now,
    updatedAt: now,
  })
  await app.services.transact((tx) => tx.reserveHolds.insert([hold(50, 10, 30), hold(7, 0, 31), hold(9, 9, 32)]))
  const { body } = await app.api.get('balance', { token: seller.token })
  expect(body.nextReleases).toEqual([
    { date: inDays(30), pendingAmount: 300, reservedAmount: 40 },
    { date: inDays(31), pendingAmount: 0, reservedAmount: 7 },
    { date: inDays(60), pendingAmount: 200, reservedAmount: 0 },
  ])
})

test('200: what is late counts for today, what no longer waits is left out, the farthest is not', async () => {
  const seller = await registerSeller(app)
  const paymentId = await insertPayment(rows, seller.id)
  const part = { sellerId: seller.id, paymentId }
  await insertSettlement(rows, { ...part, installment: 1, amount: 1, availableOn: inDays(-3) })
  await insertSettlement(rows, { ...part, installment: 2, amount: 2, availableOn: inDays(0) })
  await insertSettlement(rows, { ...part, installment: 3, amount: 4, availableOn: inDays(180) })
  await insertSettlement(rows, { ...part, installment: 4, amount: 8, availableOn: inDays(4_000) })
  await insertSettlement(rows, { ...part, installment: 5, amount: 16, availableOn: inDays(1), status: 'available' })
  const { body } = await app.api.get('balance', { token: seller.token })
  expect(body.nextReleases).toEqual([
    { date: inDays(0), pendingAmount: 3, reservedAmount: 0 },
    { date: inDays(180), pendingAmount: 4, reservedAmount: 0 },
    { date: inDays(4_000), pendingAmount: 8, reservedAmount: 0 },
  ])
})

test('401: without a token', async () => {
  const { status, body } = await app.api.get('balance')
  expect(status).toBe(401)
  expect(body.code).toBe('auth.token_missing')
})

test('403: an administrator has no balance', async () => {
  const { status, body } = await app.api.get('balance', { token: await adminToken(app) })
  expect(status).toBe(403)
  expect(body.code).toBe('auth.forbidden')
})

test('200: sellers who ask together see their own balances', async () => {
  const sellers = [await registerSeller(app), await registerSeller(app), await registerSeller(app)]
  const moves = sellers.map(({ id }, index) => movement(id, newId(), 'clearing', 'available', 100 + index))
  await app.services.transact((tx) => tx.ledger.post(moves, app.clock.now()))
  const asked = [...sellers, ...sellers].map(({ token }) => app.api.get('balance', { token }))
  const seen = (await Promise.all(asked)).map(({ body }) => [body.sellerId, body.availableAmount])
  const expected = sellers.map(({ id }, index) => [id, 100 + index])
  expect(seen).toEqual([...expected, ...expected])
})
