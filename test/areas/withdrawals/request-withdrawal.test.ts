import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, approvedSeller, registerSeller } from '../../support/factories.ts'
import {
  bucketsOf,
  configure,
  earn,
  eventTypes,
  findings,
  insist,
  request,
  requested,
  sellerWith,
  withdrawalBody,
} from '../../support/withdrawals.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('201: the amount leaves the available balance at once, and the withdrawal waits for approval', async () => {
  const seller = await sellerWith(app, 50_000)
  await configure(app, seller.id, { feePercentage: 1.5, feeFixedAmount: 100 })
  const answer = await request(app, seller, { amount: 20_001, description: 'Saque' })
  expect(answer.status).toBe(201)
  expect(answer.body).toStrictEqual({
    id: expect.stringMatching(UUID),
    sellerId: seller.id,
    amount: 20_001,
    feeAmount: 400,
    netAmount: 19_601,
    pixKeyType: 'email',
    pixKey: 'financeiro@padaria.com.br',
    status: 'pending_approval',
    statusReason: null,
    endToEndId: null,
    approvedBy: null,
    requestedAt: expect.stringMatching(INSTANT),
    approvedAt: null,
    completedAt: null,
    createdAt: answer.body.requestedAt,
    updatedAt: answer.body.requestedAt,
  })
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 29_999, withdrawing: 20_001 })
})

test('201: a small one is approved at once, and both events tell it with a masked key', async () => {
  const seller = await sellerWith(app, 50_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 20_000 })
  const small = await requested(app, seller, { amount: 20_000 })
  expect(small).toMatchObject({ status: 'approved', approvedBy: null, approvedAt: small.requestedAt })
  expect(await requested(app, seller, { amount: 20_001 })).toMatchObject({ status: 'pending_approval' })
  const { rows } = await app.sql.query<{ body: string }>('select body from events where seller_id = $1 order by id', [
    seller.id,
  ])
  const bodies = rows.map(({ body }) => JSON.parse(body)).filter(({ type }) => type.startsWith('withdrawal.'))
  expect(bodies.map(({ type, data }) => [type, data.status])).toStrictEqual([
    ['withdrawal.requested', 'pending_approval'],
    ['withdrawal.approved', 'approved'],
    ['withdrawal.requested', 'pending_approval'],
  ])
  expect(bodies.map(({ data }) => data.pixKey)).toStrictEqual(Array(3).fill('f***@padaria.com.br'))
  expect(bodies[1].data).toStrictEqual({ ...small, pixKey: 'f***@padaria.com.br' })
})

test.each([
  ['cpf', '529.982.247-25', '52998224725'],
  ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['email', ' Financeiro@Padaria.com.br ', 'financeiro@padaria.com.br'],
  ['phone', '(11) 98765-4321', '+5511987654321'],
  ['evp', '123E4567-E89B-12D3-A456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
])('201: a Pix key of the type %s is kept as the Pix directory writes it', async (pixKeyType, pixKey, kept) => {
  const seller = await sellerWith(app, 10_000)
  expect(await requested(app, seller, { pixKeyType, pixKey })).toMatchObject({ pixKeyType, pixKey: kept })
})

test('201: a repeated Idempotency-Key answers with the first withdrawal and takes the money once', async () => {
  const seller = await sellerWith(app, 50_000)
  const key = { 'idempotency-key': 'saque-1' }
  const first = await request(app, seller, {}, key)
  const again = await request(app, seller, {}, key)
  expect([again.status, again.text]).toStrictEqual([201, first.text])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await request(app, seller, { amount: 10_001 }, key)).body.code).toBe('idempotency.key_reused')
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 40_000, withdrawing: 10_000 })
})

test('201: a hundred requests at once take what there is and nothing more', { timeout: 60_000 }, async () => {
  const seller = await sellerWith(app, 50_000)
  const answers = await Promise.all(Array.from({ length: 100 }, () => insist(app, seller, { amount: 5_000 })))
  const accepted = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(accepted.length).toBe(10)
  expect(new Set(refused.map(({ body }) => body.code))).toStrictEqual(new Set(['balance.insufficient']))
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 0, withdrawing: 50_000 })
})

test('201: a hundred requests at once stay within the daily limit', { timeout: 60_000 }, async () => {
  const seller = await sellerWith(app, 10_000_000)
  await configure(app, seller.id, { dailyLimitAmount: 37_000, autoApproveMaxAmount: 1_000_000 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => insist(app, seller, { amount: 5_000 })))
  expect(answers.filter(({ status }) => status === 201).length).toBe(7)
  const codes = answers.flatMap(({ status, body }) => (status === 201 ? [] : [body.code]))
  expect(new Set(codes)).toStrictEqual(new Set(['withdrawal.daily_limit']))
})

test('201: the daily limit counts the São Paulo day, and what came back does not count', async () => {
  const local = await startTestApp()
  try {
    const seller = await sellerWith(local, 1_000_000)
    await configure(local, seller.id, { dailyLimitAmount: 20_000 })
    // A minute before midnight in São Paulo, which is at 03:00 UTC.
    const today = new Date()
    const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 2, 3)
    local.clock.setOffsetMs(midnight - 60_000 - Date.now())
    const first = await requested(local, seller, { amount: 20_000 })
    expect((await request(local, seller, { amount: 1_000 })).body.code).toBe('withdrawal.daily_limit')
    await local.api.post(`withdrawals/${first.id}/cancel`, { token: seller.token })
    expect((await request(local, seller, { amount: 20_000 })).status).toBe(201)
    expect((await request(local, seller, { amount: 1_000 })).body.code).toBe('withdrawal.daily_limit')
    local.clock.setOffsetMs(midnight + 1_000 - Date.now())
    expect((await request(local, seller, { amount: 20_000 })).status).toBe(201)
    expect(await findings(local)).toStrictEqual([])
  } finally {
    await local.close()
  }
})

test('400: every fault of the body is named, with its path', async () => {
  const seller = await sellerWith(app, 10_000)
  const body = { amount: 0, pixKeyType: 'iban', pixKey: '', note: 'x' }
  const answer = await app.api.post('withdrawals', { token: seller.token, body, headers: { 'idempotency-key': 'k' } })
  expect([answer.status, answer.body.code]).toStrictEqual([400, 'validation.failed'])
  expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toStrictEqual([
    'amount',
    'note',
    'pixKey',
    'pixKeyType',
  ])
})

test.each([
  ['cpf', '529.982.247-24'],
  ['cnpj', '12.345.678/0001-00'],
  ['email', 'no address'],
  ['phone', '1133334444'],
  ['evp', '123e4567'],
])('400: what is no Pix key of the type %s is a fault of pixKey', async (pixKeyType, pixKey) => {
  const seller = await sellerWith(app, 0)
  const answer = await request(app, seller, { pixKeyType, pixKey })
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'pixKey', code: 'invalid_pix_key' }])
})

test('400: without an Idempotency-Key nothing happens', async () => {
  const seller = await sellerWith(app, 10_000)
  const answer = await app.api.post('withdrawals', { token: seller.token, body: withdrawalBody() })
  expect([answer.status, answer.body.code]).toStrictEqual([400, 'idempotency.key_required'])
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 10_000, withdrawing: 0 })
})

test('401: without a token', async () => {
  expect((await app.api.post('withdrawals', { body: withdrawalBody() })).status).toBe(401)
})

test('403: an administrator does not withdraw', async () => {
  const answer = await request(app, { token: await adminToken(app) })
  expect([answer.status, answer.body.code]).toStrictEqual([403, 'auth.forbidden'])
})

test('403: a seller who is not approved', async () => {
  const seller = await registerSeller(app)
  await earn(app, seller.id, 10_000)
  const answer = await request(app, seller)
  expect([answer.status, answer.body.code]).toStrictEqual([403, 'seller.not_approved'])
})

test('422: each limit of the configuration has its own code, at the centavo', async () => {
  const seller = await sellerWith(app, 1_000_000)
  await configure(app, seller.id, { minAmount: 5_000, maxAmount: 20_000, dailyLimitAmount: 25_000 })
  const codeOf = async (amount: number) => (await request(app, seller, { amount })).body.code
  expect(await codeOf(4_999)).toBe('withdrawal.below_minimum')
  expect(await codeOf(20_001)).toBe('withdrawal.above_maximum')
  expect(await codeOf(20_000)).toBeUndefined()
  expect(await codeOf(5_001)).toBe('withdrawal.daily_limit')
  expect(await codeOf(5_000)).toBeUndefined()
  await configure(app, seller.id, { isActive: false })
  expect(await codeOf(5_000)).toBe('withdrawal.disabled')
  expect(await bucketsOf(app, seller.id)).toMatchObject({ available: 975_000, withdrawing: 25_000 })
})

test('422: a fee that leaves nothing to pay out', async () => {
  const seller = await sellerWith(app, 10_000)
  await configure(app, seller.id, { minAmount: 1, feeFixedAmount: 1_000 })
  const answer = await request(app, seller, { amount: 1_000 })
  expect([answer.status, answer.body.code]).toStrictEqual([422, 'withdrawal.fee_exceeds_amount'])
  await configure(app, seller.id, { minAmount: 1_001 })
  expect((await request(app, seller, { amount: 1_000 })).body.code).toBe('withdrawal.below_minimum')
  expect(await requested(app, seller, { amount: 1_001 })).toMatchObject({ feeAmount: 1_000, netAmount: 1 })
})

test('422: more than is available leaves nothing behind, and a repeat gets the same refusal', async () => {
  const seller = await sellerWith(app, 9_999)
  const key = { 'idempotency-key': 'too-much' }
  const first = await request(app, seller, {}, key)
  expect([first.status, first.body.code]).toStrictEqual([422, 'balance.insufficient'])
  await earn(app, seller.id, 1_000_000)
  const again = await request(app, seller, {}, key)
  expect([again.status, again.text]).toStrictEqual([422, first.text])
  expect(await eventTypes(app, seller.id)).toStrictEqual([])
  expect((await app.sql.query('select from withdrawals where seller_id = $1', [seller.id])).rowCount).toBe(0)
})

test('403: API credentials without the scope', async () => {
  const seller = await approvedSeller(app)
  const made = await app.api.put('integrations/credentials', {
    token: seller.token,
    body: { scopes: ['withdrawals:read'], rotateSecret: true },
  })
  const { clientId, clientSecret } = made.body
  const login = await app.api.post('integrations/login', { body: { clientId, clientSecret } })
  const token: string = login.body.accessToken
  expect((await request(app, { token })).body.code).toBe('auth.scope_missing')
  expect((await app.api.get('withdrawals', { token })).status).toBe(200)
})
