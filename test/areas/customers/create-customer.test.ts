import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { newCnpj } from '../../support/company.ts'
import { ADDRESS, customerBody, newCpf, scopedToken } from '../../support/customers.ts'
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
  app.api.post('customers', { token, body, headers })

test('201: everything comes back as it was sent, of the caller', async () => {
  const sent = customerBody()
  const { status, body } = await create(sent)
  expect(status).toBe(201)
  expect(body).toStrictEqual({
    ...sent,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sellerId: seller.id,
    createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    updatedAt: body.createdAt,
    deletedAt: null,
  })
})

test('201: masks are accepted and stored stripped', async () => {
  const document = newCpf()
  const masked = `${document.slice(0, 3)}.${document.slice(3, 6)}.${document.slice(6, 9)}-${document.slice(9)}`
  const address = { ...ADDRESS, zipCode: '01310-100', state: 'rj' }
  const { body } = await create(
    customerBody({ document: masked, phone: '+55 (11) 98765-4321', address, email: ' A@B.COM ' }),
  )
  expect(body).toMatchObject({
    document,
    phone: '11987654321',
    email: 'a@b.com',
    address: { ...ADDRESS, zipCode: '01310100', state: 'RJ' },
  })
})

test('201: a name is enough, and nothing else is made up', async () => {
  const { status, body } = await create({ name: 'Ana' })
  expect(status).toBe(201)
  const nothing = {
    email: null,
    document: null,
    documentType: null,
    phone: null,
    address: null,
    externalReference: null,
  }
  expect(body).toMatchObject({ name: 'Ana', ...nothing, metadata: {} })
})

test('201: left out, the type of the document follows the document', async () => {
  const [cpf, cnpj] = [newCpf(), newCnpj()]
  expect((await create({ name: 'Ana', document: cpf })).body).toMatchObject({ document: cpf, documentType: 'cpf' })
  expect((await create({ name: 'Loja', document: cnpj })).body).toMatchObject({ document: cnpj, documentType: 'cnpj' })
  const { body } = await create({ name: 'Loja', document: '12.abc.345/01de-35', documentType: 'cnpj' })
  expect(body).toMatchObject({ document: '12ABC34501DE35', documentType: 'cnpj' })
})

test('201: customers without a document, and those of other sellers, are not in each other’s way', async () => {
  const other = await registerSeller(app)
  const document = newCpf()
  const answers = [
    await create({ name: 'Ana' }),
    await create({ name: 'Ana', document: null }),
    await create({ name: 'Ana', document }),
    await create({ name: 'Ana', document }, {}, other.token),
  ]
  expect(answers.map(({ status }) => status)).toStrictEqual([201, 201, 201, 201])
})

test('201: a repeated Idempotency-Key answers with the first customer', async () => {
  const body = customerBody()
  const headers = { 'idempotency-key': 'customer-1' }
  const [first, second] = [await create(body, headers), await create(body, headers)]
  expect([first.status, second.status, second.text]).toStrictEqual([201, 201, first.text])
  expect(second.headers.get('idempotency-replayed')).toBe('true')
})

test('409: a document belongs to one customer of a seller, also when several claim it at once', async () => {
  const document = newCpf()
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(customerBody({ document }))))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, 409, 409, 409, 409])
  const refused = answers.filter(({ status }) => status === 409)
  expect(new Set(refused.map(({ body }) => body.code))).toStrictEqual(new Set(['customer.document_taken']))
  expect(refused.every(({ text }) => !text.includes(document))).toBe(true)
})

const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key-${index}`, 'x']))

const BAD_VALUES: Record<string, unknown[]> = {
  name: [undefined, null, '', '   ', 7, 'x'.repeat(121)],
  email: ['', 'francisco', 'a@b', 7, `${'x'.repeat(250)}@example.com`],
  document: ['', '52998224724', '11111111111', '5299822472', 52998224725, '12ABC34501DE36'],
  documentType: ['cnpj', 'rg', '', 1],
  phone: ['', '123', '(20) 98765-4321', '11887654321', 11987654321],
  address: ['Avenida Paulista', 7, []],
  externalReference: ['', 7, 'x'.repeat(101)],
  metadata: [null, 'x', many],
  'metadata.plan': [{ plan: 7 }, { plan: 'x'.repeat(501) }],
  sellerId: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
  id: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
}

describe.each(Object.entries(BAD_VALUES))('400: %s', (path, values) => {
  test.each(values.map((value) => [value]))('%j is refused by name', async (value) => {
    const { status, body } = await create(customerBody({ [path.split('.')[0] ?? '']: value }))
    expect([status, body.code]).toStrictEqual([400, 'validation.failed'])
    expect(body.errors.map((fault: { in: string; path: string }) => [fault.in, fault.path])).toStrictEqual([
      ['body', path],
    ])
  })
})

const BAD_ADDRESSES: Record<string, unknown[]> = {
  zipCode: [undefined, '0131010', '00000000', '0131-0100a'],
  street: [undefined, '', 'x'.repeat(161)],
  number: [undefined, '', 1000, 'x'.repeat(21)],
  complement: ['', 5, 'x'.repeat(121)],
  neighborhood: [undefined, '', 'x'.repeat(121)],
  city: [undefined, '', 'x'.repeat(121)],
  state: [undefined, 'XX', 'SPO', ''],
  country: ['BR'],
}

describe.each(Object.entries(BAD_ADDRESSES))('400: address.%s', (field, values) => {
  test.each(values.map((value) => [value]))('%j is refused by name', async (value) => {
    const { status, body } = await create(customerBody({ address: { ...ADDRESS, [field]: value } }))
    const paths = body.errors.map((fault: { path: string }) => fault.path)
    expect([status, paths]).toStrictEqual([400, [`address.${field}`]])
  })
})

test('400: a type without a document says nothing', async () => {
  const { status, body } = await create({ name: 'Ana', documentType: 'cpf' })
  expect([status, body.errors[0].path]).toStrictEqual([400, 'documentType'])
})

test('400: every fault of a body is named at once', async () => {
  const { body } = await create(
    customerBody({ document: 'x', phone: 'x', address: { ...ADDRESS, state: 'XX' }, more: 1 }),
  )
  const paths = body.errors.map((fault: { path: string }) => fault.path).sort()
  expect(paths).toStrictEqual(['address.state', 'document', 'more', 'phone'])
})

test('401: without a token, before the body is looked at', async () => {
  const { status, body } = await app.api.post('customers', { body: {} })
  expect([status, body.code]).toStrictEqual([401, 'auth.token_missing'])
})

test('403: an administrator has no customers, and credentials need their scope', async () => {
  expect((await create(customerBody(), {}, await adminToken(app))).body.code).toBe('auth.forbidden')
  const reader = await scopedToken(app, seller, ['customers:read'])
  expect((await create(customerBody(), {}, reader)).body).toMatchObject({ status: 403, code: 'auth.scope_missing' })
  const writer = await scopedToken(app, seller, ['customers:write'])
  expect((await create(customerBody(), {}, writer)).status).toBe(201)
})
