import { afterAll, beforeAll, expect, test } from 'vitest'
import { saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { createPayment, pay, sellingSeller } from '../../support/payments.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const list = (query = '') => app.api.get(`admin/reserve-configs${query}`, { token: admin })

const configOf = async (sellerId: string) => (await list(`?sellerId=${sellerId}`)).body.data[0]

const update = (id: string, body: unknown) => app.api.put(`admin/reserve-configs/${id}`, { token: admin, body })

test('200: a new seller is listed with a configuration that holds nothing back', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await list()
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['currentPage', 'data', 'perPage', 'totalPages', 'totalRecords'])
  expect(body).toMatchObject({ currentPage: 1, perPage: 50 })
  expect(body.data[0]).toEqual({
    id: expect.any(String),
    sellerId: seller.id,
    sellerName: 'Maria da Silva',
    sellerEmail: seller.email,
    reservePercentage: 0,
    reserveDays: 30,
    isActive: false,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: body.data[0].createdAt,
  })
})

test('200: pages follow each other newest first, and a perPage over 100 is served as 100', async () => {
  const sellers = [await registerSeller(app), await registerSeller(app), await registerSeller(app)]
  const pages = [await list('?page=1&perPage=2'), await list('?page=2&perPage=2')]
  const seen = pages.flatMap(({ body }) => body.data.map(({ sellerId }: { sellerId: string }) => sellerId))
  expect(seen.slice(0, 3)).toEqual(sellers.map(({ id }) => id).toReversed())
  expect(pages[0]?.body.totalPages).toBe(Math.ceil(pages[0]?.body.totalRecords / 2))
  expect(pages[0]?.headers.get('link')).toContain('page=2>; rel="next"')
  expect((await list('?perPage=1000')).body.perPage).toBe(100)
})

test('200: a page past the end is empty', async () => {
  const { status, body } = await list('?page=1000')
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: [], currentPage: 1000 })
  expect(body.totalRecords).toBeGreaterThan(0)
})

test('200: one configuration by its id', async () => {
  const seller = await registerSeller(app)
  const config = await configOf(seller.id)
  const { status, body } = await app.api.get(`admin/reserve-configs/${config.id}`, { token: admin })
  expect(status).toBe(200)
  expect(body).toEqual(config)
})

test('200: an update is answered, kept and written to the audit log', async () => {
  const seller = await registerSeller(app)
  const config = await configOf(seller.id)
  const terms = { reservePercentage: 10.55, reserveDays: 90, isActive: true }
  const { status, body } = await update(config.id, terms)
  expect(status).toBe(200)
  expect(body).toEqual({ ...config, ...terms, updatedAt: body.updatedAt })
  expect(body.updatedAt >= config.updatedAt).toBe(true)
  expect(await configOf(seller.id)).toEqual(body)
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [config.id])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    action: 'reserve_config.update',
    seller_id: seller.id,
    before: { reservePercentage: 0, reserveDays: 30, isActive: false },
    after: terms,
  })
})

test('200: a change touches new payments only: what was made or held before keeps its terms', async () => {
  const seller = await sellingSeller(app)
  const { id } = await configOf(seller.id)
  await update(id, { reservePercentage: 10, reserveDays: 30, isActive: true })
  const held = await createPayment(app, seller)
  await pay(app, seller, held.id)
  const made = await createPayment(app, seller)
  await update(id, { reservePercentage: 50, reserveDays: 90, isActive: true })
  await pay(app, seller, made.id)
  const later = await createPayment(app, seller)
  await pay(app, seller, later.id)
  await update(id, { reservePercentage: 50, reserveDays: 90, isActive: false })
  const last = await createPayment(app, seller)
  await pay(app, seller, last.id)
  const termsOf = async (paymentId: string) => {
    const holds = await app.services.read.reserveHolds.listByPayment(seller.id, paymentId)
    return holds.map(({ amount, heldAt, releaseAt, status }) => {
      const days = (startOfSaoPauloDay(saoPauloDate(releaseAt)).getTime() - heldAt.getTime()) / 86_400_000
      return [amount, Math.ceil(days), status]
    })
  }
  expect(await termsOf(held.id)).toEqual([[990, 30, 'held']])
  expect(await termsOf(made.id)).toEqual([[990, 30, 'held']])
  expect(await termsOf(later.id)).toEqual([[4_951, 90, 'held']])
  expect(await termsOf(last.id)).toEqual([])
})

test('200: the bounds themselves are allowed', async () => {
  const { id } = await configOf((await registerSeller(app)).id)
  for (const terms of [
    { reservePercentage: 100, reserveDays: 180 },
    { reservePercentage: 0, reserveDays: 1 },
  ]) {
    expect((await update(id, { ...terms, isActive: true })).body).toMatchObject(terms)
  }
})

const broken = {
  'more than everything': { reservePercentage: 100.01 },
  'less than nothing': { reservePercentage: -0.01 },
  'three decimals': { reservePercentage: 1.001 },
  'no day': { reserveDays: 0 },
  'more than 180 days': { reserveDays: 181 },
  'half a day': { reserveDays: 1.5 },
  'a text for a truth': { isActive: 'yes' },
  'a missing field': { isActive: undefined },
  'a field of another kind': { sellerId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00' },
}

test.each(Object.entries(broken))('400: %s', async (_name, fault) => {
  const { id } = await configOf((await registerSeller(app)).id)
  const answer = await update(id, { reservePercentage: 1, reserveDays: 1, isActive: true, ...fault })
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toHaveLength(1)
  expect(answer.body.errors[0]).toMatchObject({ in: 'body', path: Object.keys(fault)[0] })
})

test('400: a page or size that is none, and an id that is none', async () => {
  for (const query of ['?page=0', '?perPage=0', '?perPage=x', '?page=1.5']) expect((await list(query)).status).toBe(400)
  expect((await app.api.get('admin/reserve-configs/1', { token: admin })).status).toBe(400)
})

test('401 and 403: only administrators', async () => {
  const seller = await registerSeller(app)
  const { id } = await configOf(seller.id)
  const body = { reservePercentage: 0, reserveDays: 1, isActive: false }
  for (const path of ['admin/reserve-configs', `admin/reserve-configs/${id}`]) {
    expect((await app.api.get(path)).status).toBe(401)
    expect((await app.api.get(path, { token: seller.token })).status).toBe(403)
  }
  expect((await app.api.put(`admin/reserve-configs/${id}`, { body })).status).toBe(401)
  expect((await app.api.put(`admin/reserve-configs/${id}`, { body, token: seller.token })).status).toBe(403)
})

test('404: no configuration, neither to see nor to change', async () => {
  const id = app.services.newId()
  const answers = [
    await app.api.get(`admin/reserve-configs/${id}`, { token: admin }),
    await update(id, { reservePercentage: 0, reserveDays: 1, isActive: false }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(404)
    expect(body.code).toBe('reserve_config.not_found')
  }
})
