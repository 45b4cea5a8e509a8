import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

const csv = { accept: 'text/csv' }
const HEADER =
  'id,sellerId,type,bucket,direction,amount,balanceAfter,referenceType,referenceId,description,createdAt,paymentId,externalReference,method,grossAmount,feeAmount'

const withIncome = async (count: number): Promise<Seller> => {
  const seller = await registerSeller(app)
  const transfers = Array.from({ length: count }, (_, index) =>
    movement(seller.id, app.services.newId(), 'clearing', 'available', index + 1),
  )
  await app.services.transact((tx) => tx.ledger.post(transfers, app.clock.now()))
  return seller
}

const linesOf = (text: string) => text.split('\r\n').slice(0, -1)

test('200: the whole selection is a file, whatever page is asked for', async () => {
  const seller = await withIncome(3)
  const { status, text, headers } = await app.api.get('transactions?perPage=1&page=3', {
    token: seller.token,
    headers: csv,
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  const lines = linesOf(text)
  expect(lines[0]).toBe(HEADER)
  expect(lines.slice(1).map((line) => line.split(',').slice(1, 7).join(','))).toEqual([
    `${seller.id},payment_received,available,credit,3,6`,
    `${seller.id},payment_received,available,credit,2,3`,
    `${seller.id},payment_received,available,credit,1,1`,
  ])
})

test('200: more rows than one read takes arrive all, each once, in order', async () => {
  const seller = await withIncome(2_345)
  const { text } = await app.api.get('transactions', { token: seller.token, headers: csv })
  const amounts = linesOf(text)
    .slice(1)
    .map((line) => Number(line.split(',')[5]))
  expect(amounts).toEqual(Array.from({ length: 2_345 }, (_, index) => 2_345 - index))
})

test('200: filters hold for the file too, and an empty selection is its header', async () => {
  const seller = await withIncome(1)
  const { text } = await app.api.get('transactions?direction=debit', { token: seller.token, headers: csv })
  expect(linesOf(text)).toEqual([HEADER])
})

test('200: an administrator exports the statements of all sellers', async () => {
  const seller = await withIncome(1)
  const { text } = await app.api.get('admin/transactions', { token: await adminToken(app), headers: csv })
  expect(text).toContain(seller.id)
})

test('200: a client that takes anything gets JSON', async () => {
  const seller = await withIncome(1)
  for (const accept of ['*/*', 'application/json, text/csv;q=0.5', 'text/html']) {
    const { body } = await app.api.get('transactions', { token: seller.token, headers: { accept } })
    expect(body.totalRecords).toBe(1)
  }
})

test('401: no file without a token', async () => {
  expect((await app.api.get('transactions', { headers: csv })).status).toBe(401)
})
