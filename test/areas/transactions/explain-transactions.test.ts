import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, pay } from '../../support/payments.ts'
import { disputed, paidCard, refunded, reservingSeller, resolve, runJobs } from '../../support/refunds.ts'

let app: TestApp
let seller: Seller
let payment: string
let card: string
let disputedId: string

// A payment that was received, settled, held back of, refunded, and one that was disputed: every way to a payment.
beforeAll(async () => {
  app = await startTestApp()
  seller = await reservingSeller(app)
  payment = (await createPayment(app, seller, { externalReference: 'order-1' })).id
  await pay(app, seller, payment)
  await refunded(app, seller, payment, 500)
  disputedId = (await createPayment(app, seller, { externalReference: 'order-3' })).id
  await pay(app, seller, disputedId)
  const { id } = await disputed(app, seller, disputedId)
  await resolve(app, seller, id, 'lost')
  card = (await paidCard(app, seller, { externalReference: 'order-2', installments: 1 })).id
  app.clock.setOffsetMs(35 * 86_400_000)
  await runJobs(app, ['settlePayments', 'releaseReserves'])
})

afterAll(() => app.close())

type Row = Record<string, unknown> & {
  id: string
  type: string
  paymentId: string
  grossAmount: number
  feeAmount: number
}

const rowsOf = async (query: string, headers = {}): Promise<Row[]> =>
  (await app.api.get(`transactions?perPage=100&${query}`, { token: seller.token, headers })).body.data

test('200: every movement of a payment leads to it, whatever it was for', async () => {
  const rows = await rowsOf('')
  const typesOf = (id: string) => new Set(rows.filter(({ paymentId }) => paymentId === id).map(({ type }) => type))
  expect(typesOf(payment)).toEqual(
    new Set(['payment_received', 'reserve_held', 'reserve_released', 'refund_requested']),
  )
  expect(typesOf(card)).toEqual(new Set(['payment_received', 'payment_settled', 'reserve_held']))
  expect(typesOf(disputedId)).toEqual(new Set(['payment_received', 'reserve_held', 'dispute_opened', 'dispute_lost']))
  expect(rows.every(({ paymentId }) => paymentId !== null)).toBe(true)
  expect(rows.filter(({ paymentId }) => paymentId === card)).toContainEqual(
    expect.objectContaining({ externalReference: 'order-2', method: 'credit_card', type: 'payment_settled' }),
  )
})

test('200: gross and fee are those of the payment, once, and elsewhere there is no fee', async () => {
  const rows = await rowsOf('')
  const { fee_revenue: revenue } = Object.fromEntries(
    (
      await app.sql.query('select account, balance_amount from ledger_accounts where seller_id = $1', [seller.id])
    ).rows.map(({ account, balance_amount: balance }) => [account, Number(balance)]),
  )
  expect(rows.reduce((sum, { feeAmount }) => sum + feeAmount, 0)).toBe(revenue)
  const received = rows.filter(({ type }) => type === 'payment_received')
  expect(received.map(({ grossAmount }) => grossAmount)).toEqual([10_000, 10_000, 10_000])
  for (const row of received) expect(row.grossAmount - row.feeAmount).toBe(row.amount)
})

test('200: descriptions are Portuguese for who prefers that, in lists, files and single rows', async () => {
  const headers = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5' }
  const [row] = await rowsOf('type=payment_settled', headers)
  expect(row?.description).toBe('Liquidação de um pagamento')
  const one = await app.api.get(`transactions/${row?.id}`, { token: seller.token, headers })
  expect(one.body).toEqual(row)
  expect(one.headers.get('content-language')).toBe('pt')
  const file = await app.api.get('transactions', { token: seller.token, headers: { ...headers, accept: 'text/csv' } })
  expect(file.text).toContain('Reserva liberada')
  const all = await app.api.get('admin/transactions?type=dispute_lost', { token: await adminToken(app), headers })
  expect(all.body.data[0].description).toBe('Contestação perdida, dinheiro devolvido ao pagador')
  for (const language of ['en', 'fr', '*', 'en,pt;q=0.5']) {
    const [same] = await rowsOf('type=payment_settled', { 'accept-language': language })
    expect([language, same?.description]).toEqual([language, 'Settlement of a payment'])
  }
})
