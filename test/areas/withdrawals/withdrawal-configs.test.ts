import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const list = (query = '') => app.api.get(`admin/withdrawal-configs${query}`, { token: admin })

const configOf = async (sellerId: string) => (await list(`?sellerId=${sellerId}`)).body.data[0]

const update = (id: string, body: unknown) => app.api.put(`admin/withdrawal-configs/${id}`, { token: admin, body })

const TERMS = {
  minAmount: 500,
  maxAmount: 100_000,
  dailyLimitAmount: 200_000,
  feePercentage: 0.25,
  feeFixedAmount: 100,
  autoApproveMaxAmount: 10_000,
  isActive: true,
}

test('200: a new seller may withdraw 10 to 50,000 reais, each after a look', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await list()
  expect(status).toBe(200)
  expect(body.data[0]).toEqual({
    id: expect.any(String),
    sellerId: seller.id,
    sellerName: 'Maria da Silva',
    sellerEmail: seller.email,
    minAmount: 1_000,
    maxAmount: 5_000_000,
    dailyLimitAmount: 10_000_000,
    feePercentage: 0,
    feeFixedAmount: 0,
    autoApproveMaxAmount: 0,
    isActive: true,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
})

test('200: pages, newest first', async () => {
  const sellers = [await registerSeller(app), await registerSeller(app)]
  const { body } = await list('?perPage=1&page=2')
  expect(body).toMatchObject({ perPage: 1, currentPage: 2 })
  expect(body.data[0].sellerId).toBe(sellers[0]?.id)
})

test('200: an update is answered, kept and written to the audit log', async () => {
  const seller = await registerSeller(app)
  const config = await configOf(seller.id)
  const { status, body } = await update(config.id, TERMS)
  expect(status).toBe(200)
  expect(body).toEqual({ ...config, ...TERMS, updatedAt: body.updatedAt })
  expect((await app.api.get(`admin/withdrawal-configs/${config.id}`, { token: admin })).body).toEqual(body)
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [config.id])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    action: 'withdrawal_config.update',
    seller_id: seller.id,
    before: { minAmount: 1_000, autoApproveMaxAmount: 0 },
    after: TERMS,
  })
})

const broken = {
  minAmount: { minAmount: 0 },
  maxAmount: { maxAmount: 499 },
  dailyLimitAmount: { dailyLimitAmount: -1 },
  feePercentage: { feePercentage: 101 },
  feeFixedAmount: { feeFixedAmount: 1.5 },
  autoApproveMaxAmount: { autoApproveMaxAmount: 1_000_000_000_001 },
  isActive: { isActive: undefined },
  surprise: { surprise: 1 },
}

test.each(Object.entries(broken))('400: a %s that cannot be', async (path, fault) => {
  const { id } = await configOf((await registerSeller(app)).id)
  const answer = await update(id, { ...TERMS, ...fault })
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toHaveLength(1)
  expect(answer.body.errors[0]).toMatchObject({ in: 'body', path })
})

test('401 and 403: only administrators', async () => {
  const seller = await registerSeller(app)
  const { id } = await configOf(seller.id)
  for (const path of ['admin/withdrawal-configs', `admin/withdrawal-configs/${id}`]) {
    expect((await app.api.get(path)).status).toBe(401)
    expect((await app.api.get(path, { token: seller.token })).status).toBe(403)
  }
  expect((await app.api.put(`admin/withdrawal-configs/${id}`, { body: TERMS })).status).toBe(401)
  expect((await app.api.put(`admin/withdrawal-configs/${id}`, { body: TERMS, token: seller.token })).status).toBe(403)
})

test('404: no configuration, neither to see nor to change', async () => {
  const id = app.services.newId()
  const answers = [await app.api.get(`admin/withdrawal-configs/${id}`, { token: admin }), await update(id, TERMS)]
  for (const { status, body } of answers) {
    expect(status).toBe(404)
    expect(body.code).toBe('withdrawal_config.not_found')
  }
})
