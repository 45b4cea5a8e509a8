import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let token: string
let [first, second]: Seller[] = []

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  first = await registerSeller(app)
  second = await registerSeller(app)
})
afterAll(() => app.close())

const list = async (query = '') => (await app.api.get(`admin/users?${query}`, { token })).body
const idsOf = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)

test('200: everybody, newest first, as administrators see them', async () => {
  const { data, totalRecords } = await list()
  expect(totalRecords).toBe(3)
  expect(data.map(({ email }: Seller) => email)).toEqual([second?.email, first?.email, 'admin@example.com'])
  expect(data[0]).toMatchObject({
    role: 'seller',
    lastLoginAt: null,
    blockedAt: null,
    blockReason: null,
    createdBy: null,
  })
  expect(data[0]).not.toHaveProperty('passwordHash')
})

test('200: by role, by whether they are blocked, and by a part of name or address or the id', async () => {
  expect(await idsOf('role=seller')).toEqual([second?.id, first?.id])
  await app.api.put(`admin/users/${first?.id}/block`, { token, body: { reason: 'Fraud' } })
  expect(await idsOf('isBlocked=true')).toEqual([first?.id])
  expect(await idsOf('isBlocked=false&role=seller')).toEqual([second?.id])
  expect(await idsOf(`search=${second?.email.slice(0, 15)}`)).toEqual([second?.id])
  expect(await idsOf('search=PADARIA')).toEqual([second?.id, first?.id])
  expect(await idsOf(`search=${first?.id}`)).toEqual([first?.id])
})

test('400, 401 and 403', async () => {
  expect((await app.api.get('admin/users?isBlocked=maybe', { token })).status).toBe(400)
  expect((await app.api.get('admin/users')).status).toBe(401)
  expect((await app.api.get('admin/users', { token: second?.token })).status).toBe(403)
})
