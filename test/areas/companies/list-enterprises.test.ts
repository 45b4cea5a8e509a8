import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let admin: string
let first: Seller
let second: Seller
let ids: { bakery: string; school: string; garage: string }

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  first = await registerSeller(app)
  second = await registerSeller(app)
  const names = { commercialName: 'x', invoiceName: 'x', companyName: 'x', tradeName: 'x' }
  const bakery = await createCompany(app, first, { ...names, tradeName: 'Pão 100% da Maria', cnpj: '12ABC34501DE35' })
  const school = await createCompany(app, first, { ...names, companyName: 'Escola_Azul', email: 'azul@escola.com.br' })
  const garage = await createCompany(app, second, {
    ...names,
    invoiceName: 'OFICINA',
    cnpj: '11222333000181',
    draft: true,
  })
  ids = { bakery: bakery.id, school: school.id, garage: garage.id }
  await approveCompany(app, bakery.id)
})
afterAll(async () => {
  await app.close()
})

const list = (query = '', token = admin) => app.api.get(`admin/enterprises${query}`, { token })
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map(({ id }: { id: string }) => id)

test('200: companies of all sellers, newest first, with their states', async () => {
  const answer = await list()
  expect(Object.keys(answer.body)).toEqual(['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage'])
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(idsOf(answer)).toEqual([ids.garage, ids.school, ids.bakery])
  expect(answer.body.data.map(({ status }: { status: string }) => status)).toEqual([
    'draft',
    'awaiting_approval',
    'approved',
  ])
})

test.each([
  ['pão', 'bakery'],
  ['100%25', 'bakery'],
  ['12.abc.345', 'bakery'],
  ['ESCOLA_', 'school'],
  ['azul@escola', 'school'],
  ['oficina', 'garage'],
  ['11.222.333/0001-81', 'garage'],
] as const)('200: a search for %s finds the %s and nothing else', async (search, name) => {
  expect(idsOf(await list(`?search=${search}`))).toEqual([ids[name]])
})

test.each(['%25', '_', '.', '/', 'nobody'])('200: a search for %s takes it literally', async (search) => {
  const { data } = (await list(`?search=${search}`)).body
  const text = decodeURIComponent(search)
  const shown = data.map(({ documents: _, ...company }: Record<string, unknown>) => JSON.stringify(company))
  expect(shown.every((company: string) => company.includes(text))).toBe(true)
  expect((await list('?search=-')).body.totalRecords).toBe(0)
})

test('200: filters by seller, states and period, together', async () => {
  expect(idsOf(await list(`?sellerId=${first.id}`))).toEqual([ids.school, ids.bakery])
  expect(idsOf(await list('?status=draft&status=approved'))).toEqual([ids.garage, ids.bakery])
  expect(idsOf(await list(`?sellerId=${first.id}&status=approved&search=maria`))).toEqual([ids.bakery])
  expect(idsOf(await list('?to=2020-01-01'))).toEqual([])
  expect(idsOf(await list('?from=2020-01-01'))).toHaveLength(3)
})

test('200: pages', async () => {
  const page = await list('?perPage=2&page=2&status=draft&status=approved&status=awaiting_approval')
  expect(idsOf(page)).toEqual([ids.bakery])
  expect(page.headers.get('link')).toContain('rel="prev"')
  expect(idsOf(await list('?page=9'))).toEqual([])
})

test.each([
  'status=open',
  'search=',
  `search=${'x'.repeat(101)}`,
  'sellerId=7',
  'page=0',
  'perPage=0',
  'from=x',
  'to=x',
])('400: %s', async (query) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.errors[0].in, body.errors[0].path.split('.')[0]]).toEqual([400, 'query', query.split('=')[0]])
})

test('401 and 403: no token, a seller', async () => {
  expect((await app.api.get('admin/enterprises')).status).toBe(401)
  expect((await list('', second.token)).status).toBe(403)
})
