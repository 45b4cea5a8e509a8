import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSuccessUrl } from '../../../src/areas/payment-links/success-url.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { scopedToken } from '../../support/customers.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { postLink } from '../../support/payment-links.ts'
import { sellingSeller } from '../../support/payments.ts'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})
afterAll(() => app.close())

const create = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  postLink(app, seller, fields, headers)

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

test('201: everything comes back as it was sent, of the caller', async () => {
  const sent = {
    title: 'Camiseta azul',
    description: 'Tamanho M',
    amount: 10_000,
    methods: ['pix', 'credit_card'],
    maxInstallments: 3,
    maxPayments: 5,
    successUrl: 'https://shop.example.com/ok?order=77#top',
    expiresAt: '2099-12-31T23:59:59.000Z',
    externalReference: 'order-77',
    metadata: { order: '77' },
  }
  const { status, body } = await create(sent)
  expect(status).toBe(201)
  expect(body).toStrictEqual({
    ...sent,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sellerId: seller.id,
    hash: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    url: `${app.url}/pay/${body.hash}`,
    minAmount: null,
    maxAmount: null,
    paymentsCount: 0,
    paidAmount: 0,
    status: 'active',
    createdAt: TIME,
    updatedAt: body.createdAt,
  })
})

test('201: a title is enough: any amount, all methods, any number of payments', async () => {
  const { status, body } = await app.api.post('payment-links', { token: seller.token, body: { title: 'Doação' } })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    amount: null,
    minAmount: null,
    maxAmount: null,
    methods: ['pix', 'boleto', 'credit_card'],
    maxInstallments: 1,
    maxPayments: null,
    successUrl: null,
    expiresAt: null,
    metadata: {},
  })
})

test('201: an amount within bounds is for the payer to choose', async () => {
  const { body } = await create({ amount: null, minAmount: 500, maxAmount: 500 })
  expect(body).toMatchObject({ amount: null, minAmount: 500, maxAmount: 500 })
})

test('201: no two links have the same hash', async () => {
  const links = await Promise.all(Array.from({ length: 20 }, () => create()))
  expect(new Set(links.map(({ body }) => body.hash)).size).toBe(20)
})

test('201: a repeated Idempotency-Key answers with the first link', async () => {
  const first = await create({}, { 'idempotency-key': 'link-1' })
  const again = await create({}, { 'idempotency-key': 'link-1' })
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await create({ title: 'Outra' }, { 'idempotency-key': 'link-1' })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency.key_reused'])
})

test.each([
  ['title', { title: '' }],
  ['amount', { amount: 0 }],
  ['minAmount', { minAmount: 100 }],
  ['maxAmount', { maxAmount: 100 }],
  ['maxAmount', { amount: null, minAmount: 200, maxAmount: 199 }],
  ['methods', { methods: [] }],
  ['methods', { methods: ['pix', 'pix'] }],
  ['maxInstallments', { maxInstallments: 13 }],
  ['maxInstallments', { maxInstallments: 2, methods: ['pix'] }],
  ['amount', { amount: 10_000_000_000, methods: ['boleto'] }],
  ['minAmount', { amount: null, minAmount: 10_000_000_000 }],
  ['maxPayments', { maxPayments: 0 }],
  ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['expiresAt', { expiresAt: 'tomorrow' }],
  ['successUrl', { successUrl: 'http://shop.example.com/ok' }],
  ['successUrl', { successUrl: 'javascript:alert(1)' }],
  ['successUrl', { successUrl: '//evil.example.com' }],
  ['successUrl', { successUrl: 'https://shop.example.com@evil.example.com/' }],
  ['successUrl', { successUrl: 'https://shop.example.com/\tok' }],
  ['sellerId', { sellerId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00' }],
  ['status', { status: 'inactive' }],
])('400: %s is refused: %j', async (path, fields) => {
  const { status, body } = await create(fields)
  expect([status, body.code]).toEqual([400, 'validation.failed'])
  expect(body.errors).toContainEqual(expect.objectContaining({ in: 'body', path }))
})

test('a success URL is https, but for this machine while nothing is in production', () => {
  const local = 'http://localhost:8080/ok'
  expect(checkSuccessUrl(local, { allowLoopback: true })).toEqual({ ok: true, url: local })
  expect(checkSuccessUrl(local, { allowLoopback: false })).toMatchObject({ ok: false })
  expect(checkSuccessUrl('http://127.0.0.1.evil.example/', { allowLoopback: true })).toMatchObject({ ok: false })
  expect(checkSuccessUrl('https://SHOP.example.com', { allowLoopback: false })).toEqual({
    ok: true,
    url: 'https://shop.example.com/',
  })
})

test('401: nobody makes a link without a token', async () => {
  expect((await app.api.post('payment-links', { body: { title: 'x' } })).body.code).toBe('auth.token_missing')
})

test('403: neither an administrator makes one, nor credentials without the scope', async () => {
  const admin = await postLink(app, { token: await adminToken(app) })
  expect([admin.status, admin.body.code]).toEqual([403, 'auth.forbidden'])
  const reader = await postLink(app, { token: await scopedToken(app, seller, ['payment_links:read']) })
  expect([reader.status, reader.body.code]).toEqual([403, 'auth.scope_missing'])
})

test('403: a seller who is not approved makes none', async () => {
  const { status, body } = await postLink(app, await registerSeller(app))
  expect([status, body.code]).toEqual([403, 'seller.not_approved'])
})
