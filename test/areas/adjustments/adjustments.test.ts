import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { findings, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  // Not who approves the companies of the tests.
  token = await anotherAdmin(app)
})
beforeEach(() => app.sql.query('delete from approval_policy'))
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const REASON = 'The fee was charged twice.'

const adjust = (sellerId: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  app.api.post('admin/adjustments', { token, body: { sellerId, reason: REASON, ...body }, headers })

const bookOf = (sellerId: string) => app.services.read.ledger.findBalances(sellerId)

const typesOf = async (sellerId: string): Promise<string[]> => {
  const { rows } = await app.sql.query('select type from events where seller_id = $1 order by id', [sellerId])
  return rows.map(({ type }) => type).filter((type) => /^(adjustment|balance)\./.test(type))
}

/** A seller who owes this much. */
const debtor = async (owedAmount: number) => {
  const seller = await sellerWith(app, 10_000)
  const taken = await adjust(seller.id, { amount: -10_000 - owedAmount, allowNegative: true, against: 'clearing' })
  expect(taken.status).toBe(201)
  return seller
}

test('201: a correction in favour of a seller is posted, told, listed and in the audit log', async () => {
  const seller = await sellerWith(app, 10_000)
  const { status, body } = await adjust(seller.id, { amount: 1_500, against: 'fee_revenue' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    sellerId: seller.id,
    kind: 'correction',
    amount: 1_500,
    reason: REASON,
    approvedBy: null,
  })
  expect(await bookOf(seller.id)).toMatchObject({ available: 11_500, fee_revenue: -1_500 })
  expect(await typesOf(seller.id)).toStrictEqual(['adjustment.posted'])
  expect((await app.api.get(`admin/adjustments/${body.id}`, { token })).body).toStrictEqual(body)
  expect((await app.api.get(`admin/adjustments?sellerId=${seller.id}`, { token })).body.data).toStrictEqual([body])
  const statement = await app.api.get('transactions?type=adjustment_posted', { token: seller.token })
  expect(statement.body.data).toMatchObject([{ bucket: 'available', direction: 'credit', amount: 1_500 }])
})

test('201: a repeat under its key corrects once', async () => {
  const seller = await sellerWith(app, 0)
  const headers = { 'idempotency-key': randomUUID() }
  const [one, two] = [await adjust(seller.id, { amount: 5 }, headers), await adjust(seller.id, { amount: 5 }, headers)]
  expect([one.status, two.status, two.body]).toStrictEqual([201, 201, one.body])
  expect((await bookOf(seller.id)).available).toBe(5)
})

test('422: what a seller does not have is taken only where it is said that they may owe it', async () => {
  const seller = await sellerWith(app, 100)
  const refused = await adjust(seller.id, { amount: -101 })
  expect([refused.status, refused.body.code]).toStrictEqual([422, 'adjustment.balance_insufficient'])
  expect((await bookOf(seller.id)).available).toBe(100)
  expect((await adjust(seller.id, { amount: -101, allowNegative: true })).status).toBe(201)
  expect((await bookOf(seller.id)).available).toBe(-1)
})

test('202: from the amount of the policy on, of either sign, another administrator posts it', async () => {
  await setPolicy(app, token, { adjustmentFromAmount: 1_000 })
  const seller = await sellerWith(app, 5_000)
  expect((await adjust(seller.id, { amount: -999 })).status).toBe(201)
  const { status, body } = await adjust(seller.id, { amount: -1_000 })
  expect([status, body.kind, body.amount]).toStrictEqual([202, 'adjustment', -1_000])
  expect((await bookOf(seller.id)).available).toBe(4_001)
  const second = await anotherAdmin(app)
  expect((await app.api.post(`admin/approvals/${body.id}/approve`, { token: second })).status).toBe(200)
  expect((await bookOf(seller.id)).available).toBe(3_001)
  const made = await app.api.get(`admin/adjustments/${body.subjectId}`, { token })
  expect(made.body).toMatchObject({ proposedBy: body.proposedBy, reason: REASON })
  expect(made.body.approvedBy).not.toBe(made.body.proposedBy)
})

test('409: an approval that can no longer be done is refused, and stays pending', async () => {
  await setPolicy(app, token, { adjustmentFromAmount: 1_000 })
  const seller = await sellerWith(app, 1_000)
  const { body } = await adjust(seller.id, { amount: -1_000 })
  await adjust(seller.id, { amount: -1 })
  const second = await anotherAdmin(app)
  const refused = await app.api.post(`admin/approvals/${body.id}/approve`, { token: second })
  expect(refused.body.code).toBe('approval.not_possible')
  expect(refused.body.detail).toContain('does not cover')
  const { rows } = await app.sql.query('select status from approvals where id = $1', [body.id])
  expect(rows[0].status).toBe('pending')
})

test('201: a debt is written off, at most whole, and what is got of it later goes to the loss', async () => {
  const seller = await debtor(5_000)
  const tooMuch = await adjust(seller.id, { kind: 'write_off', amount: 5_001 })
  expect([tooMuch.status, tooMuch.body.code]).toStrictEqual([422, 'adjustment.exceeds_debt'])
  expect((await adjust(seller.id, { kind: 'write_off', amount: 5_000 })).status).toBe(201)
  expect(await bookOf(seller.id)).toMatchObject({ available: 0, losses: -5_000 })
  expect((await adjust(seller.id, { kind: 'correction', amount: 7_000, against: 'clearing' })).status).toBe(201)
  const more = await adjust(seller.id, { kind: 'recovery', amount: -5_001 })
  expect([more.status, more.body.code]).toStrictEqual([422, 'adjustment.exceeds_loss'])
  expect((await adjust(seller.id, { kind: 'recovery', amount: -4_000 })).status).toBe(201)
  expect(await bookOf(seller.id)).toMatchObject({ available: 3_000, losses: -1_000 })
})

test('422: of write-offs at once no more than the debt is given up', async () => {
  const seller = await debtor(5_000)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => adjust(seller.id, { kind: 'write_off', amount: 2_500 })),
  )
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, 201, 422, 422])
  expect(await bookOf(seller.id)).toMatchObject({ available: 0, losses: -5_000 })
})

test('a debt ages: it is listed, told after a day and once a week, and forgotten when income covers it', async () => {
  const seller = await debtor(700)
  const job = app.services.jobs.ageDebts
  const later = (hours: number) => app.clock.setOffsetMs(app.clock.offsetMs() + hours * 3_600_000)
  const listed = async () => {
    const { body } = await app.api.get('admin/debts', { token })
    return body.data.find((debt: { sellerId: string }) => debt.sellerId === seller.id)
  }
  await job.runOnce()
  expect(await listed()).toMatchObject({ owedAmount: 700, toldAt: null })
  const owed = async () => (await typesOf(seller.id)).filter((type) => type === 'balance.owed').length
  later(25)
  await job.runOnce()
  await job.runOnce()
  expect(await owed()).toBe(1)
  later(8 * 24)
  await job.runOnce()
  expect(await owed()).toBe(2)
  await adjust(seller.id, { amount: 700 })
  await job.runOnce()
  expect(await listed()).toBeUndefined()
})

test.each([
  { amount: 0 },
  { amount: 1.5 },
  { kind: 'write_off', amount: -1 },
  { kind: 'recovery', amount: 1 },
  { kind: 'write_off', amount: 1, against: 'clearing' },
  { amount: 1, reason: '' },
  { amount: 1, more: true },
])('400: an adjustment with %j', async (body) => {
  expect((await adjust(randomUUID(), body)).status).toBe(400)
})

test('401 and 403: only administrators', async () => {
  const seller = await sellerWith(app, 0)
  const body = { sellerId: seller.id, amount: 1, reason: REASON }
  expect((await app.api.post('admin/adjustments', { body })).status).toBe(401)
  expect((await app.api.post('admin/adjustments', { token: seller.token, body })).status).toBe(403)
  expect((await app.api.get('admin/debts', { token: seller.token })).status).toBe(403)
})

test('404 and 422: an adjustment or a seller that there is not', async () => {
  expect((await adjust(randomUUID(), { amount: 1 })).body.code).toBe('adjustment.seller_not_found')
  expect((await app.api.get(`admin/adjustments/${randomUUID()}`, { token })).body.code).toBe('adjustment.not_found')
})
