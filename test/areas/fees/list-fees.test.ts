import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  await app.services.ensureDefaultFees()
})

afterAll(() => app.close())

type Band = { method: string; installmentsFrom: number; installmentsTo: number; percentage: number }

const bandsOf = (body: { data: Band[] }) =>
  body.data
    .map(({ method, installmentsFrom, installmentsTo, percentage }) => [
      method,
      installmentsFrom,
      installmentsTo,
      percentage,
    ])
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

const DEFAULTS = [
  ['boleto', 1, 1, 0],
  ['credit_card', 1, 1, 3.99],
  ['credit_card', 2, 6, 4.49],
  ['credit_card', 7, 12, 4.99],
  ['pix', 1, 1, 0.99],
]

test('a platform without fees gets its default ones once, however many processes start together', async () => {
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('delete from fees')
  await holder.query('lock table fees in access exclusive mode')
  const starting = Promise.all(Array.from({ length: 8 }, () => app.services.ensureDefaultFees()))
  await until('all of them look for fees', async () => (await waitingForLocks(app)) === 8)
  await holder.query('commit')
  holder.release()
  const made = await starting
  expect(made.reduce((total, count) => total + count, 0)).toBe(5)
  expect(await app.services.ensureDefaultFees()).toBe(0)
  const { rows } = await app.sql.query('select method, fixed_amount, settlement_days from fees order by id')
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['pix', '0', 0],
    ['boleto', '349', 1],
    ['credit_card', '39', 30],
    ['credit_card', '49', 30],
    ['credit_card', '49', 30],
  ])
})

test('200: a seller without fees of their own sees those that everyone pays', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await app.api.get('fees', { token: seller.token })
  expect(status).toBe(200)
  expect(body).toMatchObject({ totalRecords: 5, totalPages: 1, perPage: 50, currentPage: 1 })
  expect(bandsOf(body)).toEqual(DEFAULTS)
})

test('200: a seller’s own fee hides what it replaces, and only that', async () => {
  const seller = await registerSeller(app)
  const own = { sellerId: seller.id, percentage: 0.5 }
  await app.api.post('fees', { token: admin, body: { ...own, method: 'pix' } })
  await app.api.post('fees', {
    token: admin,
    body: { ...own, method: 'credit_card', installmentsFrom: 6, installmentsTo: 12 },
  })
  expect(bandsOf((await app.api.get('fees', { token: seller.token })).body)).toEqual([
    ['boleto', 1, 1, 0],
    ['credit_card', 1, 1, 3.99],
    ['credit_card', 2, 6, 4.49],
    ['credit_card', 6, 12, 0.5],
    ['pix', 1, 1, 0.5],
  ])
  expect(bandsOf((await app.api.get('fees?method=pix', { token: seller.token })).body)).toEqual([['pix', 1, 1, 0.5]])
})

test('200: a seller never sees another seller’s fee, an administrator sees all', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const { body: fee } = await app.api.post('fees', {
    token: admin,
    body: { sellerId: one.id, method: 'boleto', percentage: 9 },
  })
  const idsFor = async (path: string, token: string) =>
    (await app.api.get(path, { token })).body.data.map(({ id }: { id: string }) => id)
  expect(await idsFor('fees', other.token)).not.toContain(fee.id)
  expect(await idsFor('fees?perPage=100', admin)).toContain(fee.id)
  expect(await idsFor(`admin/fees?sellerId=${one.id}`, admin)).toEqual([fee.id])
})

test('200: closed versions are in the administrators’ list of all fees only', async () => {
  const seller = await registerSeller(app)
  const { body: fee } = await app.api.post('fees', {
    token: admin,
    body: { sellerId: seller.id, method: 'boleto', percentage: 9 },
  })
  await app.api.put(`fees/${fee.id}`, { token: admin, body: { isActive: false } })
  const count = async (path: string) => (await app.api.get(path, { token: admin })).body.totalRecords
  expect(await count(`admin/fees?sellerId=${seller.id}`)).toBe(1)
  expect(await count(`admin/fees?sellerId=${seller.id}&isActive=true`)).toBe(0)
  expect(await count(`admin/fees?sellerId=${seller.id}&isActive=false`)).toBe(1)
  const active = await app.api.get('fees?perPage=100', { token: admin })
  expect(active.body.data.map(({ id }: { id: string }) => id)).not.toContain(fee.id)
})

test('200: pages of the fees that apply', async () => {
  const seller = await registerSeller(app)
  const { body, headers } = await app.api.get('fees?perPage=2&page=3', { token: seller.token })
  expect(body).toMatchObject({ totalRecords: 5, totalPages: 3, perPage: 2, currentPage: 3 })
  expect(body.data).toHaveLength(1)
  expect(headers.get('link')).toContain('rel="prev"')
})

test('the fee of each payment of a batch is found in one read, and none where none is configured', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  await app.api.post('fees', { token: admin, body: { sellerId: one.id, method: 'pix', percentage: 0.1 } })
  const fees = await app.services.read.fees.findApplicable([
    { sellerId: one.id, method: 'pix', installments: 1 },
    { sellerId: other.id, method: 'pix', installments: 1 },
    { sellerId: other.id, method: 'credit_card', installments: 7 },
    { sellerId: other.id, method: 'credit_card', installments: 13 },
  ])
  expect(fees.map((fee) => fee?.percentage)).toEqual([10, 99, 499, undefined])
  expect(await app.services.read.fees.findApplicable([])).toEqual([])
})

test('401 and 403', async () => {
  const seller = await registerSeller(app)
  expect((await app.api.get('fees')).status).toBe(401)
  expect((await app.api.get('admin/fees')).status).toBe(401)
  expect((await app.api.get('admin/fees', { token: seller.token })).status).toBe(403)
})

test('400: a filter that means nothing', async () => {
  expect((await app.api.get('fees?method=cash', { token: admin })).status).toBe(400)
  expect((await app.api.get('admin/fees?isActive=maybe', { token: admin })).status).toBe(400)
})
