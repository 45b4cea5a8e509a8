import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer } from '../../support/customers.ts'
import { adminToken, approvedSeller, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let admin: string
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await approvedSeller(app)
})
afterAll(async () => {
  await app.close()
})

const list = (query = '', token = admin) => app.api.get(`admin/audit-log${query}`, { token })
const actionsOf = ({ body }: Answer): string[] => body.data.map(({ action }: { action: string }) => action)

const linkOf = (answer: Answer, relation: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${relation}"`).exec(answer.headers.get('link') ?? '')?.[1]

const suspend = async () => {
  const owner = await registerSeller(app)
  const { id } = await createCompany(app, owner)
  await app.api.post(`admin/enterprises/${id}/approve`, { token: admin })
  await app.api.post(`admin/enterprises/${id}/suspend`, { token: admin, body: { reason: 'Fraud' } })
  return { owner, id }
}

test('200: an act shows who did what to what, before and after, in the envelope', async () => {
  const { owner, id } = await suspend()
  const { status, body } = await list(`?targetId=${id}&action=company.suspend`)
  expect(status).toBe(200)
  expect(Object.keys(body)).toStrictEqual(['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage'])
  expect(body.data).toHaveLength(1)
  expect(body.data[0]).toMatchObject({
    actorId: claimsOf(admin).sub,
    actorRole: 'admin',
    action: 'company.suspend',
    targetType: 'company',
    targetId: id,
    sellerId: owner.id,
    before: { status: 'approved' },
    after: { status: 'suspended' },
    createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  })
})

test('200: each filter chooses exactly, newest first, and they choose together', async () => {
  const { owner, id } = await suspend()
  const both = ['company.suspend', 'company.approve']
  expect(actionsOf(await list(`?targetId=${id}`))).toStrictEqual(both)
  expect(actionsOf(await list(`?sellerId=${owner.id}`))).toStrictEqual(both)
  expect(actionsOf(await list(`?sellerId=${owner.id}&action=company.approve`))).toStrictEqual(['company.approve'])
  expect(actionsOf(await list(`?sellerId=${owner.id}&actorId=${claimsOf(admin).sub}`))).toStrictEqual(both)
  expect(actionsOf(await list(`?sellerId=${owner.id}&actorId=${owner.id}`))).toStrictEqual([])
  expect(actionsOf(await list(`?targetId=${id}&action=company`))).toStrictEqual([])
})

test('200: what sellers do to their own is found by who did it', async () => {
  const { id } = await createCustomer(app, seller)
  await app.api.delete(`customers/${id}`, { token: seller.token })
  const { body } = await list(`?actorId=${seller.id}`)
  expect(body.data).toMatchObject([{ action: 'customer.anonymize', targetId: id, sellerId: seller.id }])
})

test('200: a period chooses by time, half open', async () => {
  const { id } = await suspend()
  const { createdAt } = (await list(`?targetId=${id}&action=company.suspend`)).body.data[0]
  expect(actionsOf(await list(`?targetId=${id}&from=${createdAt}`))).toContain('company.suspend')
  expect(actionsOf(await list(`?targetId=${id}&to=${createdAt}`))).not.toContain('company.suspend')
  expect(actionsOf(await list('?from=2020-01-01&to=2020-01-02'))).toStrictEqual([])
})

test('200: the links lead through all pages by cursor', async () => {
  const { id } = await suspend()
  const first = await list(`?targetId=${id}&perPage=1`)
  const second = await app.api.get(linkOf(first, 'next') ?? '', { token: admin })
  expect([...actionsOf(first), ...actionsOf(second)]).toStrictEqual(['company.suspend', 'company.approve'])
  expect(linkOf(second, 'next')).toBeUndefined()
})

test('200: no personal data stands in it', async () => {
  const { body } = await app.api.put(`users/${seller.id}`, {
    token: seller.token,
    body: { name: 'Joana Prado', companyName: 'Loja', phone: '11987654321', email: 'joana.prado@example.com' },
  })
  expect(body.name).toBe('Joana Prado')
  await app.api.delete(`users/${seller.id}`, { token: admin })
  const { text } = await list(`?targetId=${seller.id}`)
  expect(text).toContain('user.delete')
  for (const secret of ['Joana', 'joana.prado', '11987654321', seller.email]) expect(text).not.toContain(secret)
})

test.each([
  ['actorId', 'actorId=me'],
  ['targetId', 'targetId=x'],
  ['sellerId', 'sellerId=x'],
  ['action', 'action='],
  ['action', `action=${'x'.repeat(61)}`],
  ['from', 'from=yesterday'],
  ['to', 'to=2026-02-30'],
  ['page', 'page=0'],
  ['perPage', 'perPage=x'],
  ['cursor', 'cursor=nonsense'],
  ['target', 'target=company'],
])('400: a bad %s is refused by name: %s', async (path, query) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.errors[0].in, body.errors[0].path.split('.')[0]]).toStrictEqual([400, 'query', path])
})

test('401 and 403: strangers and sellers see nothing', async () => {
  expect((await app.api.get('admin/audit-log')).status).toBe(401)
  const { token } = await registerSeller(app)
  expect((await list('', token)).body).toMatchObject({ status: 403, code: 'auth.forbidden' })
})
