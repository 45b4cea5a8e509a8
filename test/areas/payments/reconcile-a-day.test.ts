import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, getPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'
import { paidCard, refunded, runJobs } from '../../support/refunds.ts'

const DAY_MS = 86_400_000

let app: TestApp
let seller: Seller
/** Made on one day: a Pix paid on it, a card, and a Pix paid on the day after. */
let pix: string
let card: string
let late: string
let unpaid: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  pix = (await createPayment(app, seller, { amount: 30_000, externalReference: '=1+1', customer: PAYER })).id
  card = (await paidCard(app, seller, { amount: 20_000 })).id
  late = (await createPayment(app, seller, { amount: 10_000, expiresInSeconds: 30 * 86_400 })).id
  unpaid = (await createPayment(app, seller)).id
  await pay(app, seller, pix)
  app.clock.setOffsetMs(DAY_MS)
  await pay(app, seller, late)
  await refunded(app, seller, card, 5_000)
  app.clock.setOffsetMs(35 * DAY_MS)
  await runJobs(app, ['settlePayments'])
})

afterAll(() => app.close())

const asked = (query: string, token = seller.token, path = 'payments') => app.api.get(`${path}?${query}`, { token })

const idsOf = async (query: string): Promise<string[]> =>
  (await asked(query)).body.data.map(({ id }: { id: string }) => id)

const paidAt = async (id: string): Promise<string> => (await getPayment(app, seller, id)).paidAt

test('200: what was paid in a period, whenever it was made, and in the order in which it was paid', async () => {
  const [first, second] = [await paidAt(pix), await paidAt(late)]
  expect(await idsOf('')).toEqual([unpaid, late, card, pix])
  expect(await idsOf(`paidFrom=${second}`)).toEqual([late])
  expect(await idsOf(`paidTo=${second}`)).toEqual([card, pix])
  expect(await idsOf(`paidFrom=${first}&paidTo=${second}`)).toEqual([pix])
  expect(await idsOf('sort=paidAt')).toEqual([card, pix, late])
  const { body, headers } = await asked('sort=-paidAt&perPage=2')
  expect(body).toMatchObject({ totalRecords: 3, data: [{ id: late }, { id: pix }] })
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
  expect((await app.api.get(next, { token: seller.token })).body.data).toMatchObject([{ id: card }])
})

test('200: what became available in a period, a card by any of its installments', async () => {
  const { settlements } = await getPayment(app, seller, card)
  const [first] = settlements
  expect(await idsOf(`settledFrom=${first.settledAt}`)).toEqual([card])
  expect(await idsOf(`settledTo=${first.settledAt}`)).toEqual([late, pix])
  expect(await idsOf('settledFrom=2001-01-01')).toEqual([late, card, pix])
})

test('200: a payment says when which part becomes available, less what a refund took of it', async () => {
  const { netAmount, settlements } = await getPayment(app, seller, card)
  expect(settlements.map(({ installment }: { installment: number }) => installment)).toEqual([1, 2, 3])
  expect(settlements.map(({ settledAt }: { settledAt: string | null }) => settledAt !== null)).toEqual([
    true,
    false,
    false,
  ])
  const amounts = settlements.map(({ amount }: { amount: number }) => amount)
  expect(amounts.reduce((sum: number, amount: number) => sum + amount)).toBe(netAmount - 5_000)
  const [listed] = (await asked(`paidTo=${await paidAt(late)}&method=credit_card`)).body.data
  expect(listed.settlements).toEqual(settlements)
  const { paidAt: at, netAmount: net, settlements: parts } = await getPayment(app, seller, pix)
  expect(parts).toMatchObject([{ installment: 1, amount: net, settledAt: at }])
  expect((await getPayment(app, seller, unpaid)).settlements).toEqual([])
})

test('200: the whole selection is a file, in the order of the list, without a formula', async () => {
  const { text, headers } = await app.api.get('payments?sort=paidAt&perPage=1', {
    token: seller.token,
    headers: { accept: 'text/csv' },
  })
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
  expect(headers.get('vary')).toContain('accept')
  const [names = '', ...lines] = text.trimEnd().split('\r\n')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names.split(',')[at], cell])))
  expect(rows.map(({ id }) => id)).toEqual([card, pix, late])
  const payment = await getPayment(app, seller, pix)
  expect(rows[1]).toMatchObject({
    method: 'pix',
    amount: '30000',
    feeAmount: String(payment.feeAmount),
    netAmount: String(payment.netAmount),
    settledAmount: String(payment.netAmount),
    externalReference: "'=1+1",
    endToEndId: payment.pix.endToEndId,
    paidAt: payment.paidAt,
  })
})

test('200: administrators ask the same of all sellers, or of one', async () => {
  const token = await adminToken(app)
  const other = await sellingSeller(app)
  const { body } = await asked(`paidFrom=2001-01-01&sellerId=${seller.id}`, token, 'admin/payments')
  expect(body.data[0]).toMatchObject({ id: late, sellerName: expect.any(String), settlements: [{ installment: 1 }] })
  expect((await asked('settledFrom=2001-01-01', token, 'admin/payments')).body.totalRecords).toBe(3)
  expect((await asked('paidFrom=2001-01-01', other.token)).body.totalRecords).toBe(0)
  const file = await app.api.get('admin/payments', { token, headers: { accept: 'text/csv' } })
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(5)
})

test('400: a period that ends before it begins, and a cursor of another order', async () => {
  for (const name of ['paid', 'settled']) {
    const { status, body } = await asked(`${name}From=2026-11-02&${name}To=2026-11-01`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: `${name}From`, code: 'invalid_period' }])
  }
  const { headers } = await asked('sort=-paidAt&perPage=1')
  const cursor = /cursor=([\w-]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  expect((await asked(`cursor=${cursor}`)).body.errors).toMatchObject([{ code: 'invalid_cursor' }])
})
