import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('200: the own account, and any one for an administrator', async () => {
  const { id, token, email } = await registerSeller(app)
  const own = await app.api.get(`users/${id}`, { token })
  expect(own).toMatchObject({ status: 200, body: { id, email, role: 'seller', approved: false, deletedAt: null } })
  expect(Object.keys(own.body)).not.toContain('passwordHash')
  const seen = await app.api.get(`users/${id}`, { token: await adminToken(app) })
  expect(seen.body).toStrictEqual(own.body)
})

test('200: an administrator still sees a deleted account, without the person', async () => {
  const { id, token } = await registerSeller(app)
  await app.api.delete(`users/${id}`, { token })
  const { status, body } = await app.api.get(`users/${id}`, { token: await adminToken(app) })
  expect(status).toBe(200)
  expect(body).toMatchObject({ email: `${id}@deleted.invalid`, name: 'Anonimizado', phone: null, approved: false })
  expect(body.deletedAt).toBe(body.updatedAt)
})

test('404: another seller’s account looks exactly like a missing one', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const foreign = await app.api.get(`users/${other.id}`, { token: one.token })
  const missing = await app.api.get(`users/${randomUUID()}`, { token: one.token })
  expect(foreign).toMatchObject({ status: 404, body: { code: 'user.not_found' } })
  expect({ ...foreign.body, requestId: '' }).toStrictEqual({ ...missing.body, requestId: '' })
  expect((await app.api.get(`users/${randomUUID()}`, { token: await adminToken(app) })).status).toBe(404)
})

test('400 and 401: an id that is none, and no token', async () => {
  const { token } = await registerSeller(app)
  expect((await app.api.get('users/me', { token })).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
  expect((await app.api.get(`users/${randomUUID()}`)).status).toBe(401)
})
