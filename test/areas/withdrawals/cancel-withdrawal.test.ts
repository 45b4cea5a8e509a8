import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { bucketsOf, configure, eventTypes, findings, requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const cancel = (id: string, token?: string) => app.api.post(`withdrawals/${id}/cancel`, { token })

test('200: a waiting withdrawal is canceled and all of its money is available again', async () => {
  const seller = await sellerWith(app, 10_000)
  await configure(app, seller.id, { feeFixedAmount: 100 })
  const withdrawal = await requested(app, seller)
  const answer = await cancel(withdrawal.id, seller.token)
  expect(answer.status).toBe(200)
  expect(answer.body).toStrictEqual({ ...withdrawal, status: 'canceled', updatedAt: answer.body.updatedAt })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 10_000, withdrawing: 0, feeRevenue: 0 })
  expect(await eventTypes(app, seller.id)).toStrictEqual(['withdrawal.requested', 'withdrawal.canceled'])
})

test('409: of many cancellations at once one gives the money back', async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id, seller.token)))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, ...Array(7).fill(409)])
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 10_000, withdrawing: 0 })
})

test('409: an approved withdrawal is no longer canceled', async () => {
  const seller = await sellerWith(app, 10_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 10_000 })
  const { id } = await requested(app, seller)
  const answer = await cancel(id, seller.token)
  expect([answer.status, answer.body.code]).toStrictEqual([409, 'withdrawal.not_cancelable'])
})

test('400: an id that is none', async () => {
  expect((await cancel('1', (await sellerWith(app, 0)).token)).status).toBe(400)
})

test('401: without a token', async () => {
  expect((await cancel(randomUUID())).status).toBe(401)
})

test('403: an administrator rejects instead', async () => {
  expect((await cancel(randomUUID(), await adminToken(app))).status).toBe(403)
})

test("404: another seller's withdrawal stays as it is", async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  const answer = await cancel(id, (await sellerWith(app, 0)).token)
  expect([answer.status, answer.body.code]).toStrictEqual([404, 'withdrawal.not_found'])
  const found = await app.api.get(`withdrawals/${id}`, { token: seller.token })
  expect(found.body.status).toBe('pending_approval')
})
