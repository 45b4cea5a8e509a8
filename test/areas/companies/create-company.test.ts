import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { companyBody, newCnpj } from '../../support/company.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(async () => {
  await app.close()
})

const create = (body: unknown, headers: Record<string, string> = {}, token = seller.token) =>
  app.api.post('companies', { token, body, headers })

const eventsOf = async (sellerId: string) => {
  const { rows } = await app.sql.query('select type, body from events where seller_id = $1 order by id', [sellerId])
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
}

test('201: masks are accepted and stored stripped, and everything else comes back as it was sent', async () => {
  const cnpj = newCnpj()
  const masked = `${cnpj.slice(0, 2)}.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-${cnpj.slice(12)}`
  const sent = companyBody({ cnpj: masked, contactPhone: '+55 (11) 98765-4321', addressState: 'rj' })
  const { status, body } = await create(sent)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...sent,
    userId: seller.id,
    cnpj,
    contactPhone: '11987654321',
    addressZipCode: '01310100',
    addressState: 'RJ',
    legalRepCpf: '52998224725',
    status: 'awaiting_approval',
    rejectionReason: null,
    deletedAt: null,
    documents: [],
  })
  expect(body.createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  expect(body.updatedAt).toBe(body.createdAt)
})

test('201: an alphanumeric CNPJ is stored upper-case', async () => {
  const { status, body } = await create(companyBody({ cnpj: '12.abc.345/01de-35' }))
  expect([status, body.cnpj]).toEqual([201, '12ABC34501DE35'])
})

test('201: an address without complement is fine, and a date counts as midnight UTC', async () => {
  const { addressComplement: _, ...rest } = companyBody({ legalRepStartDate: '2019-05-31' })
  const { status, body } = await create(rest)
  expect(status).toBe(201)
  expect([body.addressComplement, body.legalRepStartDate]).toEqual(['', '2019-05-31T00:00:00.000Z'])
})

test.each([0, 0.07, 1.1, 19.99, 1_234_567.89, 9_999_999_999.99])('201: %d reais come back exactly', async (reais) => {
  const { status, body } = await create(companyBody({ averageRevenue: reais, averageTicket: reais }))
  expect([status, body.averageRevenue, body.averageTicket]).toEqual([201, reais, reais])
})

test('201: a submitted company is told to the seller with personal data masked', async () => {
  const other = await registerSeller(app)
  const { body } = await create(companyBody({ cnpj: 'S8T45HLW000195' }), {}, other.token)
  const [event, ...more] = await eventsOf(other.id)
  expect(more).toEqual([])
  expect(event).toEqual({
    type: 'company.submitted',
    data: {
      ...body,
      cnpj: '**.T45.HLW/****-**',
      contactEmail: 'c***@padaria.com.br',
      contactPhone: '(11) *****-4321',
      email: 'e***@padaria.com.br',
      phone: '(11) *****-4444',
      legalRepCpf: '***.982.247-**',
      legalRepEmail: 'm***@padaria.com.br',
      legalRepPhone: '(11) *****-4321',
    },
  })
})

test('201: a draft waits for nobody and tells nothing', async () => {
  const other = await registerSeller(app)
  const { status, body } = await create(companyBody({ draft: true }), {}, other.token)
  expect([status, body.status]).toEqual([201, 'draft'])
  expect(await eventsOf(other.id)).toEqual([])
})

test('201: a repeated Idempotency-Key answers with the first company', async () => {
  const body = companyBody()
  const headers = { 'idempotency-key': 'company-1' }
  const first = await create(body, headers)
  const second = await create(body, headers)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
})

test('409: a CNPJ belongs to one live company, also when two claim it at once', async () => {
  const cnpj = newCnpj()
  const other = await registerSeller(app)
  const answers = await Promise.all([
    create(companyBody({ cnpj })),
    create(companyBody({ cnpj }), {}, other.token),
    create(companyBody({ cnpj })),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual([
    'company.cnpj_taken',
    'company.cnpj_taken',
  ])
})

const BAD_VALUES: Record<string, unknown[]> = {
  commercialName: [undefined, null, '', '   ', 7, 'x'.repeat(121)],
  invoiceName: [undefined, '', 'x'.repeat(121)],
  averageRevenue: [undefined, '10', -1, 10.001, 10_000_000_001],
  averageTicket: [undefined, null, -0.01, 0.005],
  productsServices: [undefined, '', 'x'.repeat(2_001)],
  website: [undefined, 'www.padaria.com.br', 'ftp://padaria.com.br', 'https:padaria.com.br', 'https://localhost'],
  contactEmail: [undefined, 'contato', 'a@b', `${'x'.repeat(250)}@example.com`],
  contactPhone: [undefined, '', '123', '(20) 98765-4321', '11887654321', 11987654321],
  sellsPhysicalProducts: [undefined, 'true', 1, null],
  cnpj: [undefined, '', '12ABC34501DE36', '11111111111111', '1234567800019', 12345678000195],
  companyName: [undefined, '', 'x'.repeat(161)],
  tradeName: [undefined, '', 'x'.repeat(161)],
  phone: [undefined, '1112345678'],
  email: [undefined, '@padaria.com.br'],
  addressZipCode: [undefined, '0131010', '00000000', '0131-0100a'],
  addressStreet: [undefined, '', 'x'.repeat(161)],
  addressNumber: [undefined, '', 1000, 'x'.repeat(21)],
  addressComplement: [null, 5, 'x'.repeat(121)],
  addressNeighborhood: [undefined, '', 'x'.repeat(121)],
  addressCity: [undefined, '', 'x'.repeat(121)],
  addressState: [undefined, 'XX', 'SPO', ''],
  legalRepName: [undefined, '', 'x'.repeat(161)],
  legalRepCpf: [undefined, '52998224724', '11111111111', '5299822472'],
  legalRepRole: [undefined, '', 'x'.repeat(81)],
  legalRepStartDate: [undefined, '02/03/2020', '2020-02-30', '2020-03-02T00:00:00', '0020-01-01', 1583107200],
  legalRepPhone: [undefined, '98765-4321'],
  legalRepEmail: [undefined, 'maria@'],
  draft: ['true', 1, null],
  status: ['approved'],
  id: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
}

describe.each(Object.entries(BAD_VALUES))('400: %s', (field, values) => {
  test.each(values.map((value) => [value]))('%j is refused by name', async (value) => {
    const { status, body } = await create(companyBody({ [field]: value }))
    expect([status, body.code]).toEqual([400, 'validation.failed'])
    expect(body.errors.map(({ in: place, path }: { in: string; path: string }) => [place, path])).toEqual([
      ['body', field],
    ])
  })
})

test('400: every fault of a body is named at once', async () => {
  const { body } = await create(companyBody({ cnpj: 'x', website: 'x', averageTicket: -1, more: true }))
  expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    'averageTicket',
    'cnpj',
    'more',
    'website',
  ])
})

test('400: no body at all', async () => {
  expect((await app.api.post('companies', { token: seller.token })).status).toBe(400)
})

test('401: without a token, before the body is looked at', async () => {
  const { status, body } = await app.api.post('companies', { body: {} })
  expect([status, body.code]).toEqual([401, 'auth.token_missing'])
})

test('403: an administrator has no companies', async () => {
  const { status, body } = await create(companyBody(), {}, await adminToken(app))
  expect([status, body.code]).toEqual([403, 'auth.forbidden'])
})
