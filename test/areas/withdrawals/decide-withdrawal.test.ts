import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { bucketsOf, eventTypes, findings, requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp
let token: string
let adminId: string

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  const { rows } = await app.sql.query<{ id: string }>("select id from users where role = 'admin'")
  adminId = rows[0]?.id ?? ''
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const approve = (id: string, as: string | undefined = token) =>
  app.api.post(`admin/withdrawals/${id}/approve`, { token: as })
const reject = (id: string, body: unknown = { reason: 'The key is not theirs.' }, as: string | undefined = token) =>
  app.api.post(`admin/withdrawals/${id}/reject`, { token: as, body })

const auditOf = async (id: string) => {
  const { rows } = await app.sql.query(
    'select actor_id, action, seller_id, before, after from audit_log where target_id = $1',
    [id],
  )
  return rows
}

test('200: an approval names its administrator, is audited, told and paid out soon', async () => {
  const seller = await sellerWith(app, 10_000)
  const withdrawal = await requested(app, seller)
  const answer = await approve(withdrawal.id)
  expect(answer.status).toBe(200)
  const { approvedAt } = answer.body
  const change = { status: 'approved', approvedBy: adminId, approvedAt, updatedAt: approvedAt }
  expect(answer.body).toStrictEqual({ ...withdrawal, ...change })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 0, withdrawing: 10_000 })
  expect(await eventTypes(app, seller.id)).toStrictEqual(['withdrawal.requested', 'withdrawal.approved'])
  expect(await auditOf(withdrawal.id)).toStrictEqual([
    {
      actor_id: adminId,
      action: 'withdrawal.approve',
      seller_id: seller.id,
      before: { status: 'pending_approval', statusReason: null, approvedBy: null },
      after: { status: 'approved', statusReason: null, approvedBy: adminId },
    },
  ])
  const { rows } = await app.sql.query('select name, next_run_at <= now() as due from jobs order by name')
  expect(rows).toStrictEqual([
    { name: 'payWithdrawals', due: true },
    { name: 'sendMails', due: true },
  ])
})

test('200: a rejection gives the money back and tells the seller why', async () => {
  const seller = await sellerWith(app, 10_000)
  const withdrawal = await requested(app, seller)
  const answer = await reject(withdrawal.id)
  expect(answer.status).toBe(200)
  const change = { status: 'rejected', statusReason: 'The key is not theirs.', updatedAt: answer.body.updatedAt }
  expect(answer.body).toStrictEqual({ ...withdrawal, ...change })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 10_000, withdrawing: 0 })
  expect(await eventTypes(app, seller.id)).toStrictEqual(['withdrawal.requested', 'withdrawal.rejected'])
  expect(await auditOf(withdrawal.id)).toMatchObject([
    { action: 'withdrawal.reject', after: { status: 'rejected', statusReason: 'The key is not theirs.' } },
  ])
})

test('409: of two approvals at once one counts', async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  const answers = await Promise.all([approve(id), approve(id)])
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('withdrawal.not_pending')
  expect((await auditOf(id)).length).toBe(1)
})

test('409: of an approval, a rejection and a cancellation at once one counts', async () => {
  const seller = await sellerWith(app, 50_000)
  for (let round = 0; round < 5; round += 1) {
    const { id } = await requested(app, seller)
    const cancel = app.api.post(`withdrawals/${id}/cancel`, { token: seller.token })
    const answers = await Promise.all([approve(id), reject(id), cancel])
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409])
  }
})

test('409: nobody decides on what they requested themselves', async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  await app.sql.query('update withdrawals set requested_by = $1 where id = $2', [adminId, id])
  expect((await approve(id)).body.code).toBe('withdrawal.same_person')
  expect((await reject(id)).body.code).toBe('withdrawal.same_person')
})

test.each([{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: 'x', more: 1 }])(
  '400: a rejection with the body %j',
  async (body) => {
    expect((await reject(randomUUID(), body)).status).toBe(400)
  },
)

test('401: without a token', async () => {
  expect((await app.api.post(`admin/withdrawals/${randomUUID()}/approve`)).status).toBe(401)
  expect((await app.api.post(`admin/withdrawals/${randomUUID()}/reject`)).status).toBe(401)
})

test('403: a seller decides nothing', async () => {
  const seller = await sellerWith(app, 10_000)
  const { id } = await requested(app, seller)
  expect((await approve(id, seller.token)).status).toBe(403)
  expect((await reject(id, { reason: 'x' }, seller.token)).status).toBe(403)
})

test('404: a withdrawal that there is not', async () => {
  expect((await approve(randomUUID())).body.code).toBe('withdrawal.not_found')
  expect((await reject(randomUUID())).body.code).toBe('withdrawal.not_found')
})
