import { afterAll, beforeAll, expect, test } from 'vitest'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { bookRefund, paidPayment, recount } from '../../support/reports.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const billing = (query = '', options: Parameters<TestApp['api']['get']>[1] = { token: admin }) =>
  app.api.get(`admin/billing${query}`, options)
const asCsv = { accept: 'text/csv' }

test('200: one row per seller with something to bill, with the company to invoice', async () => {
  await registerSeller(app)
  const seller = await sellingSeller(app)
  await paidPayment(app, seller, { amount: 10_000 })
  await bookRefund(app, seller.id, 1_000)
  const { rows } = await app.sql.query('select fee_amount from payments where seller_id = $1', [seller.id])
  const fee = Number(rows[0].fee_amount)
  const { status, body, headers } = await billing()
  expect(status).toBe(200)
  expect(headers.get('vary')).toContain('accept')
  expect(headers.get('link')).toContain('rel="first"')
  expect(body).toEqual({
    data: [
      {
        id: seller.id,
        month: saoPauloDate(app.clock.now()).slice(0, 7),
        sellerId: seller.id,
        sellerName: 'Maria da Silva',
        sellerEmail: seller.email,
        paidCount: 1,
        grossVolumeAmount: 10_000,
        paymentFeesAmount: fee,
        withdrawalFeesAmount: 0,
        disputeFeesAmount: 0,
        refundedFeesAmount: 0,
        providerCostAmount: 0,
        totalFeesAmount: fee,
        refundsAmount: 1_000,
        lostDisputesAmount: 0,
        netAmount: 9_000 - fee,
        withdrawnAmount: 0,
        company: expect.objectContaining({ companyName: 'Maria da Silva Pães Ltda', addressState: 'SP' }),
      },
    ],
    totalRecords: 1,
    totalPages: 1,
    perPage: 50,
    currentPage: 1,
  })
})

test('200: a month begins and ends with São Paulo’s, and pages and sellers can be chosen', async () => {
  const [one, other] = [await sellingSeller(app), await sellingSeller(app)]
  await paidPayment(app, one, { amount: 1_100 })
  await paidPayment(app, other, { amount: 1_200 })
  await app.sql.query(`update payments set paid_at = '2026-02-01T02:59:59.999Z' where seller_id = $1`, [one.id])
  await app.sql.query(`update payments set paid_at = '2026-02-01T03:00:00Z' where seller_id = $1`, [other.id])
  await recount(app)
  expect((await billing('?month=2026-01')).body.data).toMatchObject([{ sellerId: one.id, grossVolumeAmount: 1_100 }])
  expect((await billing('?month=2026-02')).body.data).toMatchObject([{ sellerId: other.id, grossVolumeAmount: 1_200 }])
  await app.sql.query(`update payments set paid_at = '2026-03-10T12:00:00Z' where seller_id = any($1)`, [
    [one.id, other.id],
  ])
  await recount(app)
  const pages = [await billing('?month=2026-03&perPage=1'), await billing('?month=2026-03&perPage=1&page=2')]
  expect(pages.map(({ body }) => body.data[0].sellerId)).toEqual([other.id, one.id])
  expect(pages[0]?.body).toMatchObject({ totalRecords: 2, totalPages: 2, perPage: 1 })
  expect((await billing(`?month=2026-03&sellerId=${one.id}`)).body.totalRecords).toBe(1)
})

test('200: the approved company is billed, not one that was sent in later', async () => {
  const seller = await sellingSeller(app)
  await paidPayment(app, seller, { amount: 1_100 })
  const { companyBody } = await import('../../support/company.ts')
  await app.api.post('companies', { token: seller.token, body: companyBody({ companyName: 'Nova Ltda' }) })
  const { body } = await billing(`?sellerId=${seller.id}`)
  expect(body.data[0].company.companyName).toBe('Maria da Silva Pães Ltda')
})

test('200: as CSV all sellers are in one streamed file, quoted, and no text is a formula', async () => {
  const seller = await sellingSeller(app)
  await paidPayment(app, seller, { amount: 12_300 })
  await app.sql.query(`update payments set paid_at = '2026-04-10T12:00:00Z' where seller_id = $1`, [seller.id])
  await recount(app)
  await app.sql.query(`update users set name = '=HYPERLINK("http://x")' where id = $1`, [seller.id])
  await app.sql.query(
    `update companies set company_name = 'Pão, "Queijo" & Cia', trade_name = '@SUM(1)' where seller_id = $1`,
    [seller.id],
  )
  const { status, text, headers } = await billing('?month=2026-04&perPage=1&page=7', { token: admin, headers: asCsv })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="billing.csv"')
  expect(headers.get('content-length')).toBeNull()
  expect(headers.get('transfer-encoding')).toBe('chunked')
  const [header, line, end] = text.split('\r\n')
  expect(header).toBe(
    'month,sellerId,sellerName,sellerEmail,companyCnpj,companyName,companyTradeName,companyEmail,companyPhone,' +
      'companyAddressZipCode,companyAddressStreet,companyAddressNumber,companyAddressComplement,' +
      'companyAddressNeighborhood,companyAddressCity,companyAddressState,paidCount,grossVolumeAmount,' +
      'paymentFeesAmount,withdrawalFeesAmount,disputeFeesAmount,refundedFeesAmount,totalFeesAmount,refundsAmount,' +
      'lostDisputesAmount,netAmount,withdrawnAmount,providerCostAmount',
  )
  expect(line).toContain(`2026-04,${seller.id},"'=HYPERLINK(""http://x"")",`)
  expect(line).toContain(`,"Pão, ""Queijo"" & Cia",'@SUM(1),`)
  expect(line).toContain(',SP,1,12300,')
  expect(end).toBe('')
})

test('200: more sellers than one read takes arrive all, each once', async () => {
  const seller = await sellingSeller(app)
  const { id } = await paidPayment(app, seller, { amount: 100 })
  await app.sql.query(
    `with made as (
       insert into users (id, email, password_hash, name, company_name, role, approved, created_at, updated_at)
       select gen_random_uuid(), 'many-' || n || '@example.com', 'x', 'Many', 'Many', 'seller', true, now(), now()
       from generate_series(1, 1001) n returning id
     )
     insert into payments select (json_populate_record(p, json_build_object(
       'seller_id', made.id, 'id', gen_random_uuid(), 'paid_at', '2026-06-10T12:00:00Z'))).*
     from payments p, made where p.id = $1`,
    [id],
  )
  await recount(app)
  const { text } = await billing('?month=2026-06', { token: admin, headers: asCsv })
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1])
  expect(ids).toHaveLength(1_001)
  expect(new Set(ids).size).toBe(1_001)
  expect((await billing('?month=2026-06')).body.totalRecords).toBe(1_001)
})

test('200: a month without anything is an empty list, and a file with a header only', async () => {
  expect((await billing('?month=2020-01')).body).toMatchObject({ data: [], totalRecords: 0 })
  const { text } = await billing('?month=2020-01', { token: admin, headers: asCsv })
  expect(text.split('\r\n')).toHaveLength(2)
})

test.each(['2026-13', '2026-00', '26-01', '2026-1', '2026-01-01', '1999-12', ''])(
  '400: %j is no month',
  async (month) => {
    const { status, body } = await billing(`?month=${month}`)
    expect(status).toBe(400)
    expect(body.errors[0]).toMatchObject({ in: 'query', path: 'month' })
  },
)

test('401 and 403: administrators only, in both forms', async () => {
  const { token } = await registerSeller(app)
  for (const headers of [{}, asCsv]) {
    expect((await billing('', { headers })).status).toBe(401)
    expect((await billing('', { token, headers })).status).toBe(403)
  }
})
