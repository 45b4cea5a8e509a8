import { afterAll, beforeAll, expect, test } from 'vitest'
import { violates } from '../../../src/db/errors.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

// Each test has a seller of its own, so that no two of them set the same band.
const sellerFee = async (extra: Record<string, unknown> = {}) => {
  const seller = await registerSeller(app)
  return { sellerId: seller.id, method: 'pix', percentage: 1.25, fixedAmount: 10, ...extra }
}

const create = (body: unknown, headers: Record<string, string> = {}) =>
  app.api.post('fees', { token: admin, body, headers })

test('201: a fee is answered as it will be charged, with the defaults of its method', async () => {
  const body = await sellerFee()
  const answer = await create(body)
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: expect.any(String),
    ...body,
    installmentsFrom: 1,
    installmentsTo: 1,
    minAmount: null,
    maxAmount: null,
    settlementDays: 0,
    isActive: true,
    createdAt: expect.any(String),
    updatedAt: answer.body.createdAt,
  })
})

test('201: a card fee without a band covers every number of installments, 30 days each', async () => {
  const { body } = await create(await sellerFee({ method: 'credit_card' }))
  expect(body).toMatchObject({ installmentsFrom: 1, installmentsTo: 12, settlementDays: 30 })
})

test('201: bands of a card that touch but do not overlap stand side by side', async () => {
  const fee = await sellerFee({ method: 'credit_card' })
  for (const [installmentsFrom, installmentsTo] of [
    [1, 1],
    [2, 6],
    [7, 12],
  ]) {
    expect((await create({ ...fee, installmentsFrom, installmentsTo })).status).toBe(201)
  }
})

test('201: who created it and what it was is in the audit log', async () => {
  const { body } = await create(await sellerFee({ minAmount: 5, maxAmount: 500 }))
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [body.id])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    action: 'fee.create',
    target_type: 'fee',
    seller_id: body.sellerId,
    actor_role: 'admin',
    after: { percentage: 1.25, minAmount: 5, maxAmount: 500 },
  })
})

test('201: a repeated Idempotency-Key answers with the first fee', async () => {
  const body = await sellerFee()
  const headers = { 'idempotency-key': app.services.newId() }
  const first = await create(body, headers)
  const second = await create(body, headers)
  expect(second.status).toBe(201)
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
})

test('409: two active fees of one scope do not overlap', async () => {
  const fee = await sellerFee({ method: 'credit_card', installmentsFrom: 2, installmentsTo: 6 })
  expect((await create(fee)).status).toBe(201)
  const answer = await create({ ...fee, installmentsFrom: 6, installmentsTo: 8 })
  expect(answer.status).toBe(409)
  expect(answer.body.code).toBe('fee.overlaps')
})

test('409: of ten at the same moment one is created', async () => {
  const fee = await sellerFee()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(fee)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
})

test('422: a fee is for a seller who exists', async () => {
  const { rows } = await app.sql.query(`select id from users where role = 'admin'`)
  for (const sellerId of [app.services.newId(), rows[0].id]) {
    const answer = await create({ sellerId, method: 'pix', percentage: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('fee.seller_not_found')
  }
})

const broken = {
  percentage: { percentage: 100.01 },
  'percentage with three decimals': { percentage: 1.005 },
  fixedAmount: { fixedAmount: -1 },
  'fixedAmount that is not whole': { fixedAmount: 0.5 },
  method: { method: 'cash' },
  'installments of a Pix': { installmentsTo: 2 },
  'thirteen installments': { method: 'credit_card', installmentsTo: 13 },
  'an inverted band': { method: 'credit_card', installmentsFrom: 5, installmentsTo: 4 },
  'inverted bounds': { minAmount: 10, maxAmount: 9 },
  settlementDays: { settlementDays: 366 },
  'an unknown field': { surprise: true },
}

test.each(Object.entries(broken))('400: %s', async (_name, fault) => {
  const answer = await create(await sellerFee(fault))
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('validation.failed')
  expect(answer.body.errors).toHaveLength(1)
})

test('401 and 403: only administrators set fees', async () => {
  const seller = await registerSeller(app)
  const body = { method: 'pix', percentage: 0 }
  expect((await app.api.post('fees', { body })).status).toBe(401)
  expect((await app.api.post('fees', { body, token: seller.token })).status).toBe(403)
})

test('Postgres itself refuses overlapping active fees of one scope, that of everyone included', async () => {
  const insert = (sellerId: string | null, [from, to]: readonly [number, number], isActive = true) =>
    app.sql
      .query(
        `insert into fees (id, seller_id, method, installments_from, installments_to, percentage_bps, fixed_amount,
           settlement_days, is_active, created_at, updated_at)
         values ($1, $2, 'credit_card', $3, $4, 0, 0, 30, $5, now(), now())`,
        [app.services.newId(), sellerId, from, to, isActive],
      )
      .then(
        () => 'accepted',
        (error: unknown) => (violates(error, 'fees_band_ex') ? 'refused' : error),
      )
  const { id } = await registerSeller(app)
  await app.sql.query(`update fees set is_active = false where seller_id is null and method = 'credit_card'`)
  for (const sellerId of [null, id]) {
    expect(await insert(sellerId, [2, 6])).toBe('accepted')
    for (const band of [
      [2, 6],
      [1, 2],
      [6, 12],
      [3, 4],
      [1, 12],
    ] as const) {
      expect(await insert(sellerId, band), band.join()).toBe('refused')
    }
    expect(await insert(sellerId, [3, 4], false)).toBe('accepted')
    for (const band of [
      [1, 1],
      [7, 12],
    ] as const)
      expect(await insert(sellerId, band), band.join()).toBe('accepted')
  }
})
