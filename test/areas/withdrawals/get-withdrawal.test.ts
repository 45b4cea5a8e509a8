import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let seller: Seller
let id: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellerWith(app, 10_000)
  id = (await requested(app, seller)).id
})
afterAll(() => app.close())

test('200: a withdrawal as its request answered it', async () => {
  const answer = await app.api.get(`withdrawals/${id}`, { token: seller.token })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ id, sellerId: seller.id, amount: 10_000, status: 'pending_approval' })
})

test('400: an id that is none', async () => {
  expect((await app.api.get('withdrawals/1', { token: seller.token })).status).toBe(400)
})

test('401: without a token', async () => {
  expect((await app.api.get(`withdrawals/${id}`)).status).toBe(401)
})

test('403: an administrator uses their own operations', async () => {
  expect((await app.api.get(`withdrawals/${id}`, { token: await adminToken(app) })).status).toBe(403)
})

test("404: another seller's withdrawal looks exactly like a missing one", async () => {
  const { token } = await sellerWith(app, 0)
  const [foreign, missing] = [
    await app.api.get(`withdrawals/${id}`, { token }),
    await app.api.get(`withdrawals/${randomUUID()}`, { token }),
  ]
  expect([foreign.status, foreign.body.code]).toStrictEqual([404, 'withdrawal.not_found'])
  const { requestId: _one, ...foreignBody } = foreign.body
  const { requestId: _other, ...missingBody } = missing.body
  expect(foreignBody).toStrictEqual(missingBody)
})
