import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anotherAdmin, endFirstDay, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, approveCompany, createCompany, newEmail } from '../../support/factories.ts'
import { administratorWith, invitationToken, logIn } from '../../support/team.ts'
import { claimsOf } from '../../support/tokens.ts'
import { earn, requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let first: string

const DAY_MS = 86_400_000
const PASSWORD = 'dois cafés e um pão na chapa'

beforeAll(async () => {
  app = await startTestApp()
  first = await adminToken(app)
})
beforeEach(() => app.sql.query('delete from approval_policy'))
afterAll(() => app.close())

// Its company is approved by the first administrator.
const newWithdrawal = async () => requested(app, await sellerWith(app, 10_000))
const approve = (id: string, token: string) => app.api.post(`admin/withdrawals/${id}/approve`, { token })
const adjust = (sellerId: string, token: string, amount = 100) =>
  app.api.post('admin/adjustments', {
    token,
    body: { sellerId, kind: 'correction', amount, against: 'losses', reason: 'Charged twice.' },
  })
const forget = (token: string) =>
  app.sql.query("update users set updated_at = updated_at - interval '1 day' where id = $1", [claimsOf(token).sub])
const leave = (token: string) => app.api.delete(`admin/members/${claimsOf(token).sub}`, { token: first })
const leaveLongAgo = async (token: string) => {
  await leave(token)
  await forget(token)
}

test('200: one administrator alone decides on everything, because there is nobody else', async () => {
  const { id, sellerId } = await newWithdrawal()
  expect((await approve(id, first)).status).toBe(200)
  expect((await adjust(sellerId, first)).status).toBe(201)
})

test('409: who approved the company does not approve its withdrawal, and another administrator does', async () => {
  const second = await anotherAdmin(app)
  const { id } = await newWithdrawal()
  expect(await approve(id, first)).toMatchObject({ status: 409, body: { code: 'withdrawal.same_person' } })
  const { body } = await app.api.get(`admin/withdrawals/${id}`, { token: second })
  const people = { sellerCreatedBy: null, sellerApprovedBy: [claimsOf(first).sub] }
  expect(body).toMatchObject({ ...people, requestedBy: body.sellerId })
  expect((await approve(id, second)).status).toBe(200)
  await leaveLongAgo(second)
})

test('409: who made the account does not, either', async () => {
  const second = await anotherAdmin(app)
  const body = { email: newEmail(), password: PASSWORD, name: 'Ana', companyName: 'Loja', role: 'seller' }
  const { id } = (await app.api.post('users', { token: second, body })).body
  await app.sql.query('update users set email_verified_at = now() where id = $1', [id])
  const token = await logIn(app, body.email, PASSWORD)
  await approveCompany(app, (await createCompany(app, { token })).id)
  await earn(app, id, 10_000)
  const third = await anotherAdmin(app)
  const withdrawal = await requested(app, { id, token, email: body.email, password: PASSWORD, refreshToken: '' })
  for (const involved of [second, first]) {
    expect((await approve(withdrawal.id, involved)).body.code).toBe('withdrawal.same_person')
  }
  const { body: seen } = await app.api.get(`admin/withdrawals/${withdrawal.id}`, { token: first })
  expect(seen).toMatchObject({ sellerCreatedBy: claimsOf(second).sub, sellerApprovedBy: [claimsOf(first).sub] })
  expect((await approve(withdrawal.id, third)).status).toBe(200)
  await leaveLongAgo(second)
  await leaveLongAgo(third)
})

test('409: nobody is got rid of to be alone: who lost their say within the last day still counts', async () => {
  const second = await anotherAdmin(app)
  const { id } = await newWithdrawal()
  const { sub } = claimsOf(second)
  const refused = { status: 409, body: { code: 'withdrawal.same_person' } }
  await app.api.put(`admin/members/${sub}`, { token: first, body: { adminRole: 'viewer' } })
  expect(await approve(id, first)).toMatchObject(refused)
  await app.api.put(`admin/users/${sub}/block`, { token: first, body: { reason: 'Fraud' } })
  expect(await approve(id, first)).toMatchObject(refused)
  await leave(second)
  expect(await approve(id, first)).toMatchObject(refused)
  await forget(second)
  expect((await approve(id, first)).status).toBe(200)
})

test('202: what one would do alone to the money of such a seller waits for another, who is told nothing less', async () => {
  const second = await anotherAdmin(app)
  const { sellerId } = await newWithdrawal()
  const proposed = await adjust(sellerId, first)
  expect([proposed.status, proposed.body.kind]).toEqual([202, 'adjustment'])
  expect((await app.api.post(`admin/approvals/${proposed.body.id}/approve`, { token: second })).status).toBe(200)
  const byOther = await adjust(sellerId, second)
  expect(byOther.status).toBe(201)
  // Where the policy asks for two and there are two, one of them may have had a part.
  await setPolicy(app, first, { adjustmentFromAmount: 1 })
  const waiting = (await adjust(sellerId, second)).body.id
  expect((await app.api.post(`admin/approvals/${waiting}/approve`, { token: first })).status).toBe(200)
  const third = await anotherAdmin(app)
  const again = (await adjust(sellerId, second)).body.id
  const refused = await app.api.post(`admin/approvals/${again}/approve`, { token: first })
  expect(refused).toMatchObject({ status: 409, body: { code: 'approval.same_person' } })
  expect((await app.api.post(`admin/approvals/${again}/approve`, { token: third })).status).toBe(200)
  await leaveLongAgo(second)
  await leaveLongAgo(third)
})

test('403: new administrators, made or invited, approve no money on their first day, and are told from when on', async () => {
  const email = newEmail()
  const invitation = { email, name: 'Rui Melo', adminRole: 'finance' }
  await app.api.post('admin/members/invitations', { token: first, body: invitation })
  const accepted = { token: await invitationToken(app, email), name: 'Rui Melo', password: PASSWORD }
  const invited = (await app.api.post('auth/invitations/accept', { body: accepted })).body.tokens.accessToken
  const made = (await administratorWith(app, first, 'finance')).token
  const { id, sellerId } = await newWithdrawal()
  const until = new Date(app.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10)
  for (const token of [invited, made]) {
    const refused = await approve(id, token)
    expect(refused).toMatchObject({ status: 403, body: { code: 'approval.first_day' } })
    expect(refused.body.detail).toContain(`You may from ${until}`)
    expect((await adjust(sellerId, token)).status).toBe(202)
  }
  await setPolicy(app, first, { withdrawalFromAmount: 1 })
  const proposed = (await approve(id, first)).body.id
  const decided = await app.api.post(`admin/approvals/${proposed}/approve`, { token: made })
  expect(decided).toMatchObject({ status: 403, body: { code: 'approval.first_day' } })
  await endFirstDay(app, claimsOf(made).sub)
  expect((await app.api.post(`admin/approvals/${proposed}/approve`, { token: made })).status).toBe(200)
})
