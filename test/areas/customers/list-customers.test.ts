import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer, scopedToken } from '../../support/customers.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  const people = [
    { name: 'José Pereira', email: 'jose@example.com', document: '52998224725', externalReference: 'a' },
    { name: 'Maria_100%', email: 'Maria.Souza@example.com.br', document: '11144477735', externalReference: 'b' },
    { name: 'Padaria Central', email: null, document: '12ABC34501DE35', documentType: 'cnpj', externalReference: 'b' },
  ]
  ids = []
  for (const person of people) ids.unshift((await createCustomer(app, seller, person)).id)
  await createCustomer(app, await registerSeller(app), { name: 'José Pereira' })
})
afterAll(async () => {
  await app.close()
})

const list = (query = '', token = seller.token) => app.api.get(`customers${query}`, { token })
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

const linkOf = (answer: Answer, relation: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${relation}"`).exec(answer.headers.get('link') ?? '')?.[1]

test('200: only the own customers, newest first, in the envelope and nothing else', async () => {
  const answer = await list()
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toStrictEqual(['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage'])
  expect(answer.body).toMatchObject({ totalRecords: 3, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(idsOf(answer)).toStrictEqual(ids)
})

test('200: the links lead through all pages and back by cursor', async () => {
  const first = await list('?perPage=2')
  const next = linkOf(first, 'next')
  expect(next).toContain('cursor=')
  const second = await app.api.get(next ?? '', { token: seller.token })
  expect([...idsOf(first), ...idsOf(second)]).toStrictEqual(ids)
  expect(linkOf(second, 'next')).toBeUndefined()
  const back = await app.api.get(linkOf(second, 'prev') ?? '', { token: seller.token })
  expect(idsOf(back)).toStrictEqual(idsOf(first))
})

test('200: pages by number, the last one short and nothing past the end', async () => {
  expect(idsOf(await list('?perPage=2&page=2'))).toStrictEqual(ids.slice(2))
  expect(idsOf(await list('?perPage=2&page=3'))).toStrictEqual([])
  expect((await list('?perPage=101')).body.perPage).toBe(100)
})

test.each([
  ['pereira', [2]],
  ['JOSÉ', [2]],
  ['jo', [2]],
  ['souza@EXAMPLE', [1]],
  ['souza@', [1]],
  ['souza@elsewhere', []],
  ['_100%', [1]],
  ['%', [1]],
  ['52998224725', [2]],
  ['529.982.247-25', [2]],
  ['529.982', [2]],
  ['44477', [1]],
  ['12.abc.345', [0]],
  ['01de-35', [0]],
  ['example', [1, 2]],
  ['.', [1, 2]],
  ['nobody', []],
  ['-', []],
])('200: the search for %s looks into name, e-mail and document', async (search, places) => {
  const answer = await list(`?search=${encodeURIComponent(search)}`)
  expect(idsOf(answer)).toStrictEqual(places.map((place) => ids[place]))
  expect(answer.body.totalRecords).toBe(places.length)
})

test('200: a reference chooses exactly, together with a search', async () => {
  expect(idsOf(await list('?externalReference=b'))).toStrictEqual(ids.slice(0, 2))
  expect(idsOf(await list('?externalReference=b&search=padaria'))).toStrictEqual(ids.slice(0, 1))
  expect(idsOf(await list('?externalReference=B'))).toStrictEqual([])
})

test('200: a period chooses by creation, half open', async () => {
  const { createdAt } = (await app.api.get(`customers/${ids[1]}`, { token: seller.token })).body
  expect(idsOf(await list(`?from=${createdAt}`))).toContain(ids[1])
  expect(idsOf(await list(`?to=${createdAt}`))).not.toContain(ids[1])
  expect(idsOf(await list('?from=2020-01-01&to=2020-01-02'))).toStrictEqual([])
})

test('200: deleted customers are left out, also by their new name', async () => {
  const { id } = await createCustomer(app, seller)
  await app.api.delete(`customers/${id}`, { token: seller.token })
  expect(idsOf(await list())).toStrictEqual(ids)
  expect(idsOf(await list('?search=anonimizado'))).toStrictEqual([])
})

test.each([
  ['page', 'page=0'],
  ['page', 'page=x'],
  ['perPage', 'perPage=0'],
  ['perPage', 'perPage=1.5'],
  ['cursor', 'cursor=nonsense'],
  ['from', 'from=yesterday'],
  ['to', 'to=2026-02-30'],
  ['search', 'search='],
  ['search', `search=${'x'.repeat(101)}`],
  ['externalReference', `externalReference=${'x'.repeat(101)}`],
  ['order', 'order=name'],
])('400: a bad %s is refused by name: %s', async (path, query) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.errors[0].in, body.errors[0].path.split('.')[0]]).toStrictEqual([400, 'query', path])
})

test('401 and 403: strangers see nothing, and credentials need their scope', async () => {
  expect((await app.api.get('customers')).status).toBe(401)
  expect((await list('', await adminToken(app))).body.code).toBe('auth.forbidden')
  const writer = await scopedToken(app, seller, ['customers:write'])
  expect((await list('', writer)).body.code).toBe('auth.scope_missing')
  expect((await list('', await scopedToken(app, seller, ['customers:read']))).status).toBe(200)
})
