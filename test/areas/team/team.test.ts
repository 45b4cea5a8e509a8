import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  adminToken,
  approveCompany,
  approvedSeller,
  createCompany,
  registerSeller,
  type Seller,
} from '../../support/factories.ts'
import { recordStatements } from '../../support/query-plans.ts'
import { joinTeam } from '../../support/team.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})

afterAll(() => app.close())

const update = (token: string, userId: string, role: string) => app.api.put(`team/${userId}`, { token, body: { role } })

test('200: a team is everybody who joined it, newest first', async () => {
  const owner = await registerSeller(app)
  const finance = await joinTeam(app, owner, 'finance')
  const { status, body } = await app.api.get('team', { token: owner.token })
  expect(status).toBe(200)
  expect(body).toMatchObject({ totalRecords: 2, currentPage: 1 })
  expect(body.data).toEqual([
    {
      id: finance.id,
      email: finance.email,
      name: 'João Souza',
      role: 'finance',
      status: 'active',
      createdAt: expect.any(String),
      lastLoginAt: expect.any(String),
    },
    expect.objectContaining({ id: owner.id, role: 'owner', lastLoginAt: null }),
  ])
})

test('a member works on the account that they joined, and sees nothing of another', async () => {
  const approved = await approvedSeller(app)
  const member = await joinTeam(app, approved, 'developer')
  const { token } = member
  const made = await app.api.post('customers', { token, body: { name: 'Carla' } })
  expect(made.body).toMatchObject({ sellerId: approved.id })
  expect((await app.api.get(`customers/${made.body.id}`, { token: approved.token })).status).toBe(200)
  expect((await app.api.get('balance', { token })).body.sellerId).toBe(approved.id)
  expect((await app.api.get(`users/${member.id}`, { token })).body).toMatchObject({
    role: 'seller',
    sellerId: approved.id,
    accessRole: 'developer',
    approved: true,
  })
  const stranger = await joinTeam(app, seller, 'owner')
  expect((await app.api.get(`customers/${made.body.id}`, { token: stranger.token })).status).toBe(404)
})

test('members are told that the company was approved', async () => {
  const owner = await registerSeller(app)
  const member = await joinTeam(app, owner, 'viewer')
  const company = await createCompany(app, owner)
  await approveCompany(app, company.id)
  expect((await app.api.get(`users/${member.id}`, { token: member.token })).body.approved).toBe(true)
})

test('200: a token that was made before loses at once what the new role may not do, and keeps the rest', async () => {
  const { id, token } = await joinTeam(app, seller, 'developer')
  const create = () => app.api.post('customers', { token, body: { name: 'Carla' } })
  expect((await create()).status).toBe(201)
  expect((await update(seller.token, id, 'viewer')).body).toMatchObject({ id, role: 'viewer' })
  expect(await create()).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })
  expect((await app.api.get('customers', { token })).status).toBe(200)
  const { body } = await app.api.get(`admin/audit-log?targetId=${id}`, { token: await adminToken(app) })
  expect(body.data[0]).toMatchObject({
    action: 'team.update_role',
    actorId: seller.id,
    sellerId: seller.id,
    before: { role: 'developer' },
    after: { role: 'viewer' },
  })
})

test('409: the last owner stays one, and of two who step down at once one does', async () => {
  const owner = await registerSeller(app)
  expect(await update(owner.token, owner.id, 'viewer')).toMatchObject({
    status: 409,
    body: { code: 'user.last_owner' },
  })
  expect(await app.api.delete(`team/${owner.id}`, { token: owner.token })).toMatchObject({ status: 409 })
  const other = await joinTeam(app, owner, 'owner')
  const answers = await Promise.all([update(owner.token, owner.id, 'viewer'), update(other.token, other.id, 'viewer')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('204: who is taken out is logged out, cannot come back and frees the address', async () => {
  const member = await joinTeam(app, seller, 'finance')
  expect((await app.api.delete(`team/${member.id}`, { token: seller.token })).status).toBe(204)
  expect((await app.api.get('balance', { token: member.token })).status).toBe(401)
  const { email, password } = member
  expect((await app.api.post('auth/login', { body: { email, password } })).status).toBe(401)
  const anew = { email, password, name: 'João Souza', companyName: 'Quitanda' }
  expect((await app.api.post('auth/register', { body: anew })).status).toBe(201)
})

test('409: who opened the account stays in it, also as one owner of two', async () => {
  const owner = await registerSeller(app)
  const other = await joinTeam(app, owner, 'owner')
  const refused = await app.api.delete(`team/${owner.id}`, { token: other.token })
  expect(refused).toMatchObject({ status: 409, body: { code: 'team.account_holder' } })
})

test('403: who opened the account and is no owner any more cannot end it; an owner who joined leaves alone', async () => {
  const owner = await registerSeller(app)
  const other = await joinTeam(app, owner, 'owner')
  expect((await update(other.token, owner.id, 'viewer')).status).toBe(200)
  expect((await app.api.delete(`users/${owner.id}`, { token: owner.token })).status).toBe(403)
  const leaving = await app.api.delete(`users/${other.id}`, { token: other.token })
  expect(leaving).toMatchObject({ status: 409, body: { code: 'user.last_owner' } })
  expect((await update(other.token, owner.id, 'owner')).status).toBe(200)
  expect((await app.api.delete(`users/${other.id}`, { token: other.token })).status).toBe(204)
  expect((await app.api.get('balance', { token: owner.token })).status).toBe(200)
})

test('204: the team ends with its account', async () => {
  const owner = await registerSeller(app)
  const member = await joinTeam(app, owner, 'viewer')
  expect((await app.api.delete(`users/${owner.id}`, { token: owner.token })).status).toBe(204)
  expect((await app.api.get('balance', { token: member.token })).status).toBe(401)
  expect((await app.api.post('auth/login', { body: { email: member.email, password: member.password } })).status).toBe(
    401,
  )
})

test('404: somebody of another team looks exactly like nobody', async () => {
  const theirs = await joinTeam(app, await registerSeller(app), 'viewer')
  const missing = await update(seller.token, '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e99', 'owner')
  const foreign = await update(seller.token, theirs.id, 'owner')
  expect(foreign).toMatchObject({ status: 404, body: { code: 'team.member_not_found' } })
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect((await app.api.delete(`team/${theirs.id}`, { token: seller.token })).status).toBe(404)
})

test('403: nobody but an owner sees or changes the team', async () => {
  const { id, token } = await joinTeam(app, seller, 'finance')
  expect((await app.api.get('team', { token })).status).toBe(403)
  expect((await update(token, id, 'owner')).status).toBe(403)
  expect((await app.api.delete(`team/${id}`, { token })).status).toBe(403)
})

test('400: a role that there is not', async () => {
  expect((await update(seller.token, seller.id, 'risk')).status).toBe(400)
})

test('who calls, and as what, is found out by one statement', async () => {
  const { token } = await joinTeam(app, seller, 'viewer')
  const { result, statements } = await recordStatements(app.sql, () => app.api.get('balance', { token }))
  expect(result.status).toBe(200)
  expect(statements.filter(({ text }) => text.includes('sessions'))).toHaveLength(1)
  expect(statements.filter(({ text }) => text.includes('from users'))).toHaveLength(0)
})
