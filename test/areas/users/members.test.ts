import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, approvedSeller, registerSeller } from '../../support/factories.ts'
import { administratorWith } from '../../support/team.ts'

let app: TestApp
let owner: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await adminToken(app)
})

afterAll(() => app.close())

const update = (token: string, id: string, adminRole: string) =>
  app.api.put(`admin/members/${id}`, { token, body: { adminRole } })

const ownId = async (): Promise<string> => {
  const { body } = await app.api.get('admin/members', { token: owner })
  return body.data.at(-1).id
}

test('200: an administrator alone has a role, and the first one is an owner', async () => {
  const { body } = await app.api.get(`admin/members/${await ownId()}`, { token: owner })
  expect(body).toMatchObject({ email: 'admin@example.com', role: 'admin', adminRole: 'owner', name: 'Administrator' })
})

test('200: a token that was made before loses at once what the new role may not do', async () => {
  const risk = await administratorWith(app, owner, 'risk')
  const suspend = () =>
    app.api.post(`admin/enterprises/01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e99/suspend`, {
      token: risk.token,
      body: { reason: 'Fraud' },
    })
  expect((await suspend()).status).toBe(404)
  expect((await update(owner, risk.id, 'viewer')).body).toMatchObject({ id: risk.id, adminRole: 'viewer' })
  expect(await suspend()).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })
  expect((await app.api.get('admin/enterprises', { token: risk.token })).status).toBe(200)
  const { body } = await app.api.get(`admin/audit-log?targetId=${risk.id}`, { token: owner })
  expect(body.data[0]).toMatchObject({
    action: 'member.update_role',
    before: { adminRole: 'risk' },
    after: { adminRole: 'viewer' },
  })
})

test('409: the last owner among administrators stays one', async () => {
  await administratorWith(app, owner, 'finance')
  const id = await ownId()
  expect(await update(owner, id, 'finance')).toMatchObject({ status: 409, body: { code: 'user.last_owner' } })
  for (const path of [`admin/members/${id}`, `users/${id}`]) {
    const refused = await app.api.delete(path, { token: owner })
    expect(refused).toMatchObject({ status: 409, body: { code: 'user.last_owner' } })
  }
})

test('204: who is taken out is logged out and listed no more', async () => {
  const viewer = await administratorWith(app, owner, 'viewer')
  expect((await app.api.delete(`admin/members/${viewer.id}`, { token: owner })).status).toBe(204)
  expect((await app.api.get('admin/members', { token: viewer.token })).status).toBe(401)
  const { body } = await app.api.get('admin/members', { token: owner })
  expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(viewer.id)
})

test('404: a seller is no administrator', async () => {
  const { id } = await registerSeller(app)
  for (const answer of [
    await app.api.get(`admin/members/${id}`, { token: owner }),
    await update(owner, id, 'viewer'),
    await app.api.delete(`admin/members/${id}`, { token: owner }),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'user.not_found' } })
  }
})

test('403: only an owner makes, changes and ends administrators, whichever way it is tried', async () => {
  const { token: support, id } = await administratorWith(app, owner, 'support')
  const other = await administratorWith(app, owner, 'owner')
  const person = { email: 'x@example.com', password: 'um pastel e caldo de cana', name: 'X', companyName: 'X' }
  const change = { name: 'X', companyName: 'X', email: 'mine@example.com' }
  const answers = [
    await app.api.post('users', { token: support, body: { ...person, role: 'admin' } }),
    await update(support, id, 'owner'),
    await app.api.put(`users/${other.id}`, { token: support, body: change }),
    await app.api.delete(`users/${other.id}`, { token: support }),
    await app.api.delete(`admin/members/${other.id}`, { token: support }),
    await app.api.delete(`admin/users/${other.id}/totp`, { token: support }),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'auth.forbidden']))
})

test('200: support changes what sellers say about themselves, and cannot end their accounts', async () => {
  const { token } = await administratorWith(app, owner, 'support')
  const seller = await approvedSeller(app)
  const body = { name: 'Maria Souza', companyName: 'Padaria' }
  expect((await app.api.put(`users/${seller.id}`, { token, body })).status).toBe(200)
  expect((await app.api.delete(`users/${seller.id}`, { token })).status).toBe(403)
})

test('400: a seller has no role among administrators', async () => {
  const person = { email: 'y@example.com', password: 'um pastel e caldo de cana', name: 'Y', companyName: 'Y' }
  const { status, body } = await app.api.post('users', {
    token: owner,
    body: { ...person, role: 'seller', adminRole: 'finance' },
  })
  expect([status, body.errors[0].path]).toEqual([400, 'adminRole'])
})
