import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
})
afterAll(() => app.close())

const list = (query = '') => app.api.get(`admin/members${query}`, { token })
const createAdmin = async () => {
  const body = {
    email: newEmail(),
    password: 'dois cafés e um pão',
    name: 'Ana',
    companyName: 'Plataforma',
    role: 'admin',
  }
  return (await app.api.post('users', { token, body })).body
}

test('200: exactly the envelope and the fields of the interface', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(answer.body).toStrictEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: app.config.admin.email,
        role: 'admin',
        companyName: expect.any(String),
        approved: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        deletedAt: null,
      },
    ],
    totalRecords: 1,
    totalPages: 1,
    perPage: 50,
    currentPage: 1,
  })
})

test('200: administrators only, newest first, page by page', async () => {
  await registerSeller(app)
  const [one, two] = [await createAdmin(), await createAdmin()]
  const deleted = await createAdmin()
  await app.api.delete(`users/${deleted.id}`, { token })
  const first = await list('?perPage=2')
  expect(first.body.data.map(({ id }: { id: string }) => id)).toStrictEqual([two.id, one.id])
  expect(first.body).toMatchObject({ totalRecords: 3, totalPages: 2, perPage: 2, currentPage: 1 })
  expect(first.headers.get('link')).toContain('</api/v1/admin/members?perPage=2&page=2>; rel="next"')
  const second = await list('?perPage=2&page=2')
  expect(second.body.data.map(({ email }: { email: string }) => email)).toStrictEqual([app.config.admin.email])
  expect((await list('?page=9')).body).toMatchObject({ data: [], currentPage: 9, totalRecords: 3 })
  expect((await list('?perPage=1000')).body.perPage).toBe(100)
  expect((await list(`?from=${two.createdAt}`)).body.data).toMatchObject([{ id: two.id }])
  expect((await list(`?to=${one.createdAt}`)).body.totalRecords).toBe(1)
})

test('400: pages that are none, and unknown filters', async () => {
  for (const query of ['?page=0', '?perPage=0', '?perPage=x', '?page=1.5', '?from=yesterday', '?sort=email']) {
    const answer = await list(query)
    expect(answer.status, query).toBe(400)
    expect(answer.body.errors).toMatchObject([{ in: 'query' }])
  }
})

test('401 and 403: only administrators', async () => {
  expect((await app.api.get('admin/members')).body.code).toBe('auth.token_missing')
  expect((await app.api.get('admin/members', { token: 'x.y.z' })).body.code).toBe('auth.token_invalid')
  const seller = await registerSeller(app)
  expect((await app.api.get('admin/members', { token: seller.token })).body.code).toBe('auth.forbidden')
})
