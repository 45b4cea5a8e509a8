import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let first: string
let second: string

beforeAll(async () => {
  app = await startTestApp()
  first = await adminToken(app)
  second = await anotherAdmin(app)
})
beforeEach(() => app.sql.query('delete from approval_policy'))
afterAll(() => app.close())

const decide = (id: string, verb: 'approve' | 'reject', token = second) =>
  app.api.post(`admin/approvals/${id}/${verb}`, { token, ...(verb === 'reject' ? { body: { reason: 'No.' } } : {}) })

const FEE = { method: 'pix', percentage: 1.5, fixedAmount: 10 }
const feesOf = async (sellerId: string) =>
  (await app.api.get(`admin/fees?sellerId=${sellerId}`, { token: first })).body.data

const newSeller = async (): Promise<string> => {
  const body = {
    email: newEmail(),
    password: 'dois cafés e um pão na chapa',
    name: 'Ana',
    companyName: 'Ana',
    role: 'seller',
  }
  return (await app.api.post('users', { token: first, body })).body.id
}

test('202: a new fee holds when another administrator, who sees what it is, approves it', async () => {
  await setPolicy(app, first, { fees: true })
  const sellerId = await newSeller()
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await app.api.post('fees', { token: first, body: { ...FEE, sellerId }, headers })
  expect([asked.status, asked.body.kind, asked.body.status, asked.body.sellerId]).toStrictEqual([
    202,
    'fee',
    'pending',
    sellerId,
  ])
  expect(asked.body.changes).toContainEqual({ field: 'percentage', value: '1.5' })
  const repeated = await app.api.post('fees', { token: first, body: { ...FEE, sellerId }, headers })
  expect([repeated.status, repeated.body.id]).toStrictEqual([202, asked.body.id])
  expect(await feesOf(sellerId)).toEqual([])
  expect((await decide(asked.body.id, 'approve', first)).body.code).toBe('approval.same_person')
  expect((await decide(asked.body.id, 'approve')).status).toBe(200)
  expect(await feesOf(sellerId)).toMatchObject([{ id: asked.body.subjectId, percentage: 1.5, fixedAmount: 10 }])
})

test('202: a change of a fee takes the place of one that waits, and is refused where it can no longer be made', async () => {
  const sellerId = await newSeller()
  const { body: fee } = await app.api.post('fees', { token: first, body: { ...FEE, sellerId } })
  await setPolicy(app, first, { fees: true })
  const change = (fixedAmount: number) => app.api.put(`fees/${fee.id}`, { token: first, body: { fixedAmount } })
  const one = await change(20)
  const other = await change(30)
  expect([one.status, other.status]).toStrictEqual([202, 202])
  expect((await decide(one.body.id, 'approve')).body.code).toBe('approval.not_pending')
  expect((await decide(other.body.id, 'approve')).status).toBe(200)
  expect(await feesOf(sellerId)).toMatchObject([{ fixedAmount: 30 }])
  const late = await change(40)
  await app.sql.query('update fees set is_active = false where id = $1', [fee.id])
  expect((await decide(late.body.id, 'approve')).body.code).toBe('approval.not_possible')
  expect((await decide(late.body.id, 'reject')).body.status).toBe('rejected')
})

test('202: what a seller may withdraw, and what is held back, waits for another administrator, too', async () => {
  const sellerId = await newSeller()
  await setPolicy(app, first, { fees: true })
  const configOf = async (path: string) =>
    (await app.api.get(`admin/${path}?sellerId=${sellerId}`, { token: first })).body.data[0]
  for (const [path, kind, change] of [
    ['withdrawal-configs', 'withdrawal_config', { feeFixedAmount: 77 }],
    ['reserve-configs', 'reserve_config', { reserveDays: 77 }],
  ] as const) {
    const {
      id,
      sellerId: _seller,
      sellerName: _name,
      sellerEmail: _email,
      createdAt: _made,
      updatedAt: _set,
      ...terms
    } = await configOf(path)
    const asked = await app.api.put(`admin/${path}/${id}`, { token: first, body: { ...terms, ...change } })
    expect([asked.status, asked.body.kind, asked.body.subjectId]).toStrictEqual([202, kind, id])
    expect(asked.body.changes).toContainEqual({ field: Object.keys(change)[0], value: '77' })
    expect(await configOf(path)).not.toMatchObject(change)
    expect((await decide(asked.body.id, 'approve')).status).toBe(200)
    expect(await configOf(path)).toMatchObject(change)
  }
})

test('202: another role waits for another administrator, and then holds at once', async () => {
  await setPolicy(app, first, { roles: true })
  const third = await anotherAdminBefore()
  const id = claimsOf(third).sub
  const asked = await app.api.put(`admin/members/${id}`, { token: first, body: { adminRole: 'viewer' } })
  expect([asked.status, asked.body.kind, asked.body.subjectId]).toStrictEqual([202, 'role', id])
  expect(asked.body.changes).toContainEqual({ field: 'adminRole', value: '"viewer"' })
  expect((await app.api.get('admin/treasury', { token: third })).status).toBe(200)
  expect((await decide(asked.body.id, 'approve')).status).toBe(200)
  expect((await app.api.get('admin/treasury', { token: third })).status).toBe(403)
})

// Made while one administrator is enough.
const anotherAdminBefore = async () => {
  await app.sql.query('delete from approval_policy')
  const token = await anotherAdmin(app)
  await setPolicy(app, first, { roles: true })
  return token
}

test('202 and 409: administrators are invited by two, and made in no other way', async () => {
  await setPolicy(app, first, { roles: true })
  const email = newEmail()
  const body = { email, name: 'Joana Prado', adminRole: 'support' }
  const asked = await app.api.post('admin/members/invitations', { token: first, body })
  expect([asked.status, asked.body.kind]).toStrictEqual([202, 'role'])
  const invitations = async () =>
    Number((await app.sql.query('select count(*) from invitations where email = $1', [email])).rows[0].count)
  expect(await invitations()).toBe(0)
  expect((await decide(asked.body.id, 'approve')).status).toBe(200)
  expect(await invitations()).toBe(1)
  const made = {
    email: newEmail(),
    password: 'dois cafés e um pão na chapa',
    name: 'Ana',
    companyName: 'P',
    role: 'admin',
  }
  const refused = await app.api.post('users', { token: first, body: made })
  expect([refused.status, refused.body.code]).toStrictEqual([409, 'user.invitation_required'])
})

test('202: not asking for two people any more is loosening, which waits', async () => {
  await setPolicy(app, first, { fees: true, roles: true })
  const kept = await setPolicy(app, first, {})
  expect([kept.status, kept.body.fees, kept.body.roles]).toStrictEqual([200, true, true])
  const asked = await setPolicy(app, first, { roles: false })
  expect([asked.status, asked.body.kind]).toStrictEqual([202, 'policy'])
  expect(asked.body.changes).toContainEqual({ field: 'roles', value: 'false' })
  await decide(asked.body.id, 'approve')
  expect((await app.api.get('admin/approval-policy', { token: first })).body).toMatchObject({
    fees: true,
    roles: false,
  })
})
