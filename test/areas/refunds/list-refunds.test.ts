import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { hearRefund, paidPix, refunded } from '../../support/refunds.ts'

let app: TestApp
let seller: Seller
let payments: string[]
/** Three, newest first: the second payment's, the first one's that failed, and its first. */
let refunds: string[]

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  payments = [(await paidPix(app, seller)).id, (await paidPix(app, seller)).id]
  refunds = []
  for (const [index, amount] of [1_000, 2_000, 3_000].entries()) {
    refunds.unshift((await refunded(app, seller, payments[index === 2 ? 1 : 0] ?? '', amount)).id)
  }
  await hearRefund(app, seller, refunds[1] ?? '', [{ status: 'failed', reason: 'refused' }])
})

afterAll(() => app.close())

const list = (query: string, { token } = seller, headers = {}) => app.api.get(`refunds?${query}`, { token, headers })

const idsOf = async (query: string): Promise<string[]> =>
  (await list(query)).body.data.map(({ id }: { id: string }) => id)

test('200: the refunds of all payments, newest first, by cursor', async () => {
  const { body, headers } = await list('perPage=2')
  expect(body).toMatchObject({ totalRecords: 3, totalPages: 2 })
  expect(body.data[0]).toMatchObject({ id: refunds[0], paymentId: payments[1], amount: 3_000, origin: 'seller' })
  const next = /<([^>]+cursor=[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
  expect((await app.api.get(next, { token: seller.token })).body.data).toMatchObject([{ id: refunds[2] }])
})

test('200: by status, payment and period', async () => {
  expect(await idsOf('status=failed')).toEqual([refunds[1]])
  expect(await idsOf(`paymentId=${payments[0]}`)).toEqual(refunds.slice(1))
  expect(await idsOf(`paymentId=${payments[0]}&status=failed`)).toEqual([refunds[1]])
  const { createdAt } = (await list('')).body.data[0]
  expect(await idsOf(`from=${createdAt}`)).toEqual([refunds[0]])
  expect(await idsOf('to=2001-01-01')).toEqual([])
})

test('200: the whole selection is a file', async () => {
  const { text, headers } = await list('perPage=1&sort=createdAt', seller, { accept: 'text/csv' })
  expect(headers.get('content-disposition')).toBe('attachment; filename="refunds.csv"')
  const [names, ...lines] = text.trimEnd().split('\r\n')
  expect(names).toBe('id,paymentId,amount,reason,status,origin,createdAt,updatedAt')
  expect(lines.map((line) => line.split(',')[0])).toEqual(refunds.toReversed())
})

test('200: another seller’s refunds are not there', async () => {
  expect((await list('', await sellingSeller(app))).body.totalRecords).toBe(0)
})

test('400, 401: an unknown status, no token', async () => {
  expect((await list('status=gone')).status).toBe(400)
  expect((await app.api.get('refunds')).status).toBe(401)
})
