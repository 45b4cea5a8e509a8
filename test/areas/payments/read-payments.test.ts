import { afterAll, beforeAll, expect, test } from 'vitest'
import { paymentCode } from '../../../src/domain/payment-code.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'

let app: TestApp
let seller: Seller
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  ids = []
  for (let index = 0; index < 5; index += 1) {
    const fields = { amount: 1_000 + index, externalReference: `order-${index}`, description: `50% de ${index}` }
    ids.unshift((await createPayment(app, seller, { ...fields, customer: PAYER })).id)
  }
  await pay(app, seller, ids[0] ?? '')
})

afterAll(() => app.close())

const list = async (query: string, token = seller.token) => (await app.api.get(`payments?${query}`, { token })).body

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

test('200: newest first, in the envelope of every list', async () => {
  const body = await list('perPage=2')
  expect(body).toMatchObject({ totalRecords: 5, totalPages: 3, perPage: 2, currentPage: 1 })
  expect(idsOf(body)).toEqual(ids.slice(0, 2))
})

test('200: a search finds a payment by the code that its payer reads out, as people write it', async () => {
  const [, id = ''] = ids
  const code = paymentCode(id)
  for (const said of [code, code.toLowerCase().replaceAll('-', ' '), code.replaceAll('-', '').replaceAll('0', 'o')]) {
    expect([said, idsOf(await list(`search=${encodeURIComponent(said)}`))]).toEqual([said, [id]])
  }
})

test('200: the cursors of the Link header lead through all pages and back', async () => {
  const seen: string[] = []
  let path: string | undefined = '/api/v1/payments?perPage=2'
  let last = ''
  while (path !== undefined) {
    last = path
    const answer = await app.api.get(path, { token: seller.token })
    seen.push(...idsOf(answer.body))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  expect(seen).toEqual(ids)
  const end = await app.api.get(last, { token: seller.token })
  const previous = /<([^>]+)>; rel="prev"/.exec(end.headers.get('link') ?? '')?.[1] ?? ''
  expect(previous).toContain('cursor=')
  expect(idsOf((await app.api.get(previous, { token: seller.token })).body)).toEqual(ids.slice(2, 4))
})

test.each([
  ['status=paid', 1],
  ['status=paid&status=pending', 5],
  ['method=boleto', 0],
  ['method=pix', 5],
  ['externalReference=order-3', 1],
  ['minAmount=1002', 3],
  ['minAmount=1002&maxAmount=1003', 2],
  ['search=francisco', 5],
  ['search=ORDER-4', 1],
  ['search=529.982.247-25', 5],
  ['search=50%25', 5],
  ['search=5_%25', 0],
  ['from=2020-01-01', 5],
  ['to=2020-01-01', 0],
  ['customerId=01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', 0],
  ['paymentLinkId=01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', 0],
])('200: the filter %s finds %i', async (query, total) => {
  expect((await list(query)).totalRecords).toBe(total)
})

test.each(['status=gone', 'minAmount=x', 'perPage=0', 'cursor=abc', 'from=yesterday', 'nonsense=1'])(
  '400: %s is refused',
  async (query) => {
    const { status, body } = await app.api.get(`payments?${query}`, { token: seller.token })
    expect([status, body.code]).toEqual([400, 'validation.failed'])
  },
)

test('200: a seller sees only their own payments', async () => {
  const other = await sellingSeller(app)
  expect((await list('', other.token)).totalRecords).toBe(0)
})

test("404: another seller's payment looks exactly like a missing one", async () => {
  const other = await sellingSeller(app)
  const foreign = await app.api.get(`payments/${ids[0]}`, { token: other.token })
  const missing = await app.api.get(`payments/${app.services.newId()}`, { token: other.token })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'payment.not_found'])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
})

test('200 and 404: sellers who ask together hear of their own payments only', async () => {
  const other = await sellingSeller(app)
  const own = await createPayment(app, other, { amount: 7_777 })
  const mine = ids[1] ?? ''
  const ask = async (token: string, id: string) => {
    const { status, body } = await app.api.get(`payments/${id}`, { token })
    return [status, body.id ?? body.code]
  }
  const rounds = Array.from({ length: 10 }, () => [
    ask(seller.token, mine),
    ask(other.token, mine),
    ask(other.token, own.id),
    ask(seller.token, own.id),
  ])
  const missing = [404, 'payment.not_found']
  const expected = [[200, mine], missing, [200, own.id], missing]
  for (const round of rounds) expect(await Promise.all(round)).toEqual(expected)
})

test('200: the QR code is SVG by default and PNG where asked for', async () => {
  const path = `payments/${ids[0]}/qr-code`
  const svg = await app.api.get(path, { token: seller.token })
  expect(svg.headers.get('content-type')).toContain('image/svg+xml')
  expect(svg.text).toContain('<svg')
  const png = await app.api.get(path, { token: seller.token, headers: { accept: 'image/png' } })
  expect(png.headers.get('content-type')).toBe('image/png')
  expect(png.text.slice(1, 4)).toBe('PNG')
})

test('409: a boleto has no QR code', async () => {
  const { id } = await createPayment(app, seller, { method: 'boleto', customer: PAYER })
  const { status, body } = await app.api.get(`payments/${id}/qr-code`, { token: seller.token })
  expect([status, body.code]).toEqual([409, 'payment.no_qr_code'])
})

test('200: an administrator sees every payment, with whose it is', async () => {
  const token = await adminToken(app)
  const found = await app.api.get(`admin/payments?sellerId=${seller.id}&status=paid`, { token })
  expect(found.body.data).toMatchObject([{ id: ids[0], sellerName: 'Maria da Silva', sellerEmail: seller.email }])
  const one = await app.api.get(`admin/payments/${ids[1]}`, { token })
  expect(one.body).toMatchObject({ id: ids[1], sellerEmail: seller.email })
  expect((await app.api.get(`admin/payments/${app.services.newId()}`, { token })).status).toBe(404)
})

test('403: a seller is no administrator', async () => {
  for (const path of ['admin/payments', `admin/payments/${ids[0]}`, 'admin/provider-events', 'sandbox/clock']) {
    expect((await app.api.get(path, { token: seller.token })).status).toBe(403)
  }
})
