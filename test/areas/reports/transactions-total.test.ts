import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { paidPayment, recount } from '../../support/reports.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const total = (query = '', token: string | undefined = admin) =>
  app.api.get(`admin/transactions/total${query}`, { token })

test('200: paid payments are summed in total, by method and by what became of them', async () => {
  const [one, other] = [await sellingSeller(app), await sellingSeller(app)]
  const first = await paidPayment(app, one, { amount: 10_000 })
  await paidPayment(app, other, { method: 'boleto', amount: 20_000 })
  await createPayment(app, one, { amount: 77_777 })
  await app.sql.query(`update payments set status = 'refunded' where id = $1`, [first.id])
  await recount(app)
  const { rows } = await app.sql.query('select method, fee_amount from payments where paid_at is not null')
  const feeOf = (method: string) => Number(rows.find((row) => row.method === method).fee_amount)
  const { status, body } = await total()
  const pix = { count: 1, grossAmount: 10_000, feeAmount: feeOf('pix'), netAmount: 10_000 - feeOf('pix') }
  const boleto = { count: 1, grossAmount: 20_000, feeAmount: feeOf('boleto'), netAmount: 20_000 - feeOf('boleto') }
  const none = { count: 0, grossAmount: 0, feeAmount: 0, netAmount: 0 }
  expect(status).toBe(200)
  expect(body).toEqual({
    period: { from: expect.any(String), to: expect.any(String) },
    count: 2,
    grossAmount: 30_000,
    feeAmount: pix.feeAmount + boleto.feeAmount,
    netAmount: pix.netAmount + boleto.netAmount,
    byMethod: [
      { method: 'pix', ...pix },
      { method: 'boleto', ...boleto },
      { method: 'credit_card', ...none },
    ],
    byStatus: [
      { status: 'paid', ...boleto },
      { status: 'refunded', ...pix },
    ],
  })
  expect((await total(`?sellerId=${one.id}`)).body.grossAmount).toBe(10_000)
  expect((await total('?from=2020-01-01&to=2020-02-01')).body).toMatchObject({ count: 0, byStatus: [] })
})

test('400: every fault of the query is named', async () => {
  const { status, body } = await total('?from=x&to=y&sellerId=z')
  expect(status).toBe(400)
  const paths = body.errors.map((fault: { path: string }) => fault.path.split('.')[0])
  expect(new Set(paths)).toEqual(new Set(['from', 'to', 'sellerId']))
  expect((await total('?from=2020-01-01&to=2021-06-01')).status).toBe(400)
})

test('401 and 403: administrators only', async () => {
  expect((await app.api.get('admin/transactions/total')).status).toBe(401)
  expect((await total('', (await registerSeller(app)).token)).status).toBe(403)
})
