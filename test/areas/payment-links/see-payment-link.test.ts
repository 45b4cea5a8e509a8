import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createLink, sellerWithLink } from '../../support/payment-links.ts'
import { sellingSeller } from '../../support/payments.ts'

const HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const see = (hash: string) => app.api.get(`payment-links/${hash}`)

test('200: what a payer may see, and nothing that tells who the seller is but their trade name', async () => {
  const { seller, link } = await sellerWithLink(app, {
    description: 'Tamanho M',
    maxInstallments: 3,
    maxPayments: 7,
    externalReference: 'order-77',
    successUrl: 'https://shop.example.com/ok',
    metadata: { order: '77' },
  })
  const { status, body, text } = await see(link.hash)
  expect(status).toBe(200)
  expect(body).toStrictEqual({
    hash: link.hash,
    url: link.url,
    title: 'Camiseta azul',
    description: 'Tamanho M',
    sellerName: 'Padaria da Maria',
    sellerColor: null,
    sellerLogo: null,
    currency: 'BRL',
    amount: 10_000,
    minAmount: null,
    maxAmount: null,
    methods: ['pix', 'boleto', 'credit_card'],
    maxInstallments: 3,
    installmentOptions: [
      { installments: 1, firstAmount: 10_000, eachAmount: 10_000, totalAmount: 10_000 },
      { installments: 2, firstAmount: 5_000, eachAmount: 5_000, totalAmount: 10_000 },
      { installments: 3, firstAmount: 3_334, eachAmount: 3_333, totalAmount: 10_000 },
    ],
    expiresAt: null,
    status: 'active',
  })
  const { rows } = await app.sql.query('select cnpj from companies where seller_id = $1', [seller.id])
  for (const secret of [seller.id, link.id, rows[0].cnpj, seller.email, 'order-77', 'shop.example.com']) {
    expect([secret, text.includes(secret)]).toEqual([secret, false])
  }
})

test('200: an amount that the payer chooses has bounds and no installments yet', async () => {
  const { link } = await sellerWithLink(app, { amount: null, minAmount: 500, maxAmount: 900, maxInstallments: 3 })
  expect((await see(link.hash)).body).toMatchObject({
    amount: null,
    minAmount: 500,
    maxAmount: 900,
    installmentOptions: [],
  })
})

test('200: without cards nothing is offered in installments', async () => {
  const { link } = await sellerWithLink(app, { methods: ['pix'] })
  expect((await see(link.hash)).body.installmentOptions).toEqual([])
})

test('200: a link of a seller who may not receive right now is shown as inactive', async () => {
  const { seller, link } = await sellerWithLink(app)
  await app.sql.query('update users set approved = false where id = $1', [seller.id])
  expect((await see(link.hash)).body.status).toBe('inactive')
})

test('200: a link has expired from its instant on, before any job has run', async () => {
  const seller = await sellingSeller(app)
  const expiresAt = new Date(app.clock.now().getTime() + HOUR_MS).toISOString()
  const link = await createLink(app, seller, { expiresAt })
  expect((await see(link.hash)).body.status).toBe('active')
  app.clock.setOffsetMs(app.clock.offsetMs() + HOUR_MS)
  expect((await see(link.hash)).body.status).toBe('expired')
})

test('404: nothing is here, also under the id of a link', async () => {
  const { link } = await sellerWithLink(app)
  for (const hash of [app.services.newId(), 'nothing', link.id, link.hash.slice(1)]) {
    const { status, body } = await see(hash)
    expect([status, body.code]).toEqual([404, 'payment_link.not_found'])
  }
})

test('400: what cannot be the end of a link is refused', async () => {
  for (const hash of ['a_b', 'x'.repeat(65), '%20', 'ção']) {
    expect((await see(hash)).body.code).toBe('validation.failed')
  }
})

test('410: a deleted link says so', async () => {
  const { seller, link } = await sellerWithLink(app)
  await app.api.delete(`payment-links/${link.id}`, { token: seller.token })
  for (const path of [link.hash, `${link.hash}/qr-code`]) {
    const { status, body } = await app.api.get(`payment-links/${path}`)
    expect([status, body.code]).toEqual([410, 'payment_link.deleted'])
  }
})

test('429: who asks too often has to wait', async () => {
  const guarded = await startTestApp({ RATE_LIMIT_TIGHT_PER_MINUTE: '3' })
  const statuses: number[] = []
  for (let asked = 0; asked < 5; asked += 1) statuses.push((await guarded.api.get('payment-links/nothing')).status)
  await guarded.close()
  // A window may end in between.
  expect(statuses.slice(0, 3)).toEqual([404, 404, 404])
  expect(statuses).toContain(429)
})

test('200: the address of a link as a QR code, as SVG or PNG', async () => {
  const { link } = await sellerWithLink(app)
  const path = `payment-links/${link.hash}/qr-code`
  const svg = await app.api.get(path)
  expect([svg.status, svg.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(svg.text).toContain('<svg')
  const png = await app.api.get(path, { headers: { accept: 'image/png' } })
  expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(png.text).toContain('PNG')
})

test('404: there is no QR code of a link that does not exist', async () => {
  expect((await app.api.get('payment-links/nothing/qr-code')).body.code).toBe('payment_link.not_found')
})
