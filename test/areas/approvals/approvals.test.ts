import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { findings, requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let first: string
let second: string

const NOBODY = {
  withdrawalFromAmount: null,
  adjustmentFromAmount: null,
  writeOffFromAmount: null,
  treasuryPayoutFromAmount: null,
}

beforeAll(async () => {
  app = await startTestApp()
  // Not who approves the companies of the tests.
  first = await anotherAdmin(app)
  second = await anotherAdmin(app)
})
beforeEach(() => app.sql.query('delete from approval_policy'))
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const approveWithdrawal = (id: string, token = first) => app.api.post(`admin/withdrawals/${id}/approve`, { token })
const decide = (id: string, verb: 'approve' | 'reject', token = second) =>
  app.api.post(`admin/approvals/${id}/${verb}`, { token, ...(verb === 'reject' ? { body: { reason: 'No.' } } : {}) })
const waiting = async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  return { seller, id, answer: await approveWithdrawal(id) }
}
const statusOf = async (id: string): Promise<string> => {
  const { rows } = await app.sql.query('select status from withdrawals where id = $1', [id])
  return rows[0].status
}

test('200: nobody is asked for a second person where nothing was ever set', async () => {
  const { status, body } = await app.api.get('admin/approval-policy', { token: first })
  expect([status, body]).toStrictEqual([200, { ...NOBODY, fees: false, roles: false, updatedAt: null }])
  const { id, answer } = await waiting()
  expect(answer.status).toBe(200)
  expect(await statusOf(id)).toBe('approved')
})

test('202: from the amount of the policy on an approval waits for another administrator, who lets it be paid', async () => {
  await setPolicy(app, first, { withdrawalFromAmount: 10_000 })
  const { seller, id, answer } = await waiting()
  expect(answer.status).toBe(202)
  expect(answer.body).toMatchObject({ kind: 'withdrawal', subjectId: id, sellerId: seller.id, status: 'pending' })
  expect(await statusOf(id)).toBe('pending_approval')
  const again = await approveWithdrawal(id, second)
  expect([again.status, again.body.id]).toStrictEqual([202, answer.body.id])
  expect((await decide(answer.body.id, 'approve', first)).body.code).toBe('approval.same_person')
  const done = await decide(answer.body.id, 'approve')
  expect([done.status, done.body.status]).toStrictEqual([200, 'approved'])
  expect(await statusOf(id)).toBe('approved')
  expect((await decide(answer.body.id, 'approve')).body.code).toBe('approval.not_pending')
})

test('200: below the amount one administrator is enough', async () => {
  await setPolicy(app, first, { withdrawalFromAmount: 10_001 })
  expect((await waiting()).answer.status).toBe(200)
})

test('200: a rejected proposal changes nothing, and may be made again', async () => {
  await setPolicy(app, first, { withdrawalFromAmount: 1 })
  const { id, answer } = await waiting()
  const rejected = await decide(answer.body.id, 'reject')
  expect(rejected.body).toMatchObject({ status: 'rejected', decisionReason: 'No.' })
  expect(await statusOf(id)).toBe('pending_approval')
  const again = await approveWithdrawal(id)
  expect(again.status).toBe(202)
  expect(again.body.id).not.toBe(answer.body.id)
})

test('409: what ended in another way is no longer to be decided', async () => {
  await setPolicy(app, first, { withdrawalFromAmount: 1 })
  const { id, seller, answer } = await waiting()
  expect((await app.api.post(`withdrawals/${id}/cancel`, { token: seller.token })).status).toBe(200)
  expect((await decide(answer.body.id, 'approve')).body.code).toBe('approval.not_pending')
  const listed = await app.api.get('admin/approvals?status=void', { token: first })
  expect(listed.body.data.map((one: { id: string }) => one.id)).toContain(answer.body.id)
})

test('409: of two decisions at once one counts', async () => {
  await setPolicy(app, first, { withdrawalFromAmount: 1 })
  const third = await anotherAdmin(app)
  const { id, answer } = await waiting()
  const answers = await Promise.all([decide(answer.body.id, 'approve'), decide(answer.body.id, 'approve', third)])
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409])
  expect(await statusOf(id)).toBe('approved')
})

test('202: what loosens the policy waits for another administrator, what makes it stricter does not', async () => {
  expect((await setPolicy(app, first, { withdrawalFromAmount: 5_000 })).status).toBe(200)
  expect((await setPolicy(app, first, { withdrawalFromAmount: 4_000 })).status).toBe(200)
  const raised = await setPolicy(app, first, { withdrawalFromAmount: 4_001, adjustmentFromAmount: 1 })
  expect([raised.status, raised.body.kind]).toStrictEqual([202, 'policy'])
  const policy = async () => (await app.api.get('admin/approval-policy', { token: first })).body
  expect(await policy()).toMatchObject({ withdrawalFromAmount: 4_000, adjustmentFromAmount: null })
  expect((await decide(raised.body.id, 'approve', first)).body.code).toBe('approval.same_person')
  expect((await decide(raised.body.id, 'approve')).status).toBe(200)
  expect(await policy()).toMatchObject({ withdrawalFromAmount: 4_001, adjustmentFromAmount: 1 })
  expect((await setPolicy(app, first, {})).status).toBe(202)
})

test.each([{}, { ...NOBODY, withdrawalFromAmount: 0 }, { ...NOBODY, more: 1 }])('400: the policy %j', async (body) => {
  expect((await app.api.put('admin/approval-policy', { token: first, body })).status).toBe(400)
})

test('401 and 403: only administrators', async () => {
  const { token } = await sellerWith(app, 0)
  const id = randomUUID()
  const calls = (as?: string) => {
    const by = as === undefined ? {} : { token: as }
    return [
      app.api.get('admin/approval-policy', by),
      app.api.get('admin/approvals', by),
      app.api.put('admin/approval-policy', { ...by, body: NOBODY }),
      app.api.post(`admin/approvals/${id}/approve`, by),
      app.api.post(`admin/approvals/${id}/reject`, { ...by, body: { reason: 'No.' } }),
    ]
  }
  for (const answer of await Promise.all(calls())) expect(answer.status).toBe(401)
  for (const answer of await Promise.all(calls(token))) expect(answer.status).toBe(403)
})

test('404: an approval that there is not', async () => {
  expect((await decide(randomUUID(), 'approve')).body.code).toBe('approval.not_found')
  expect((await decide(randomUUID(), 'reject')).body.code).toBe('approval.not_found')
})
