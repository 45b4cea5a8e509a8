import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer, scopedToken } from '../../support/customers.ts'
import { adminToken, approvedSeller, registerSeller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { claimsOf } from '../../support/tokens.ts'
import { enrol } from '../../support/totp.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(async () => {
  await app.close()
})

const read = (id: string, token = admin) => app.api.get(`admin/users/${id}/personal-data`, { token })

const insertWithdrawals = (sellerId: string, count: number) =>
  app.sql.query(
    `insert into withdrawals (seller_id, id, amount, fee_amount, net_amount, pix_key_type, pix_key, status, provider,
       requested_by, requested_at, created_at, updated_at)
     select $1, gen_random_uuid(), 100, 0, 100, 'email', 'maria@example.com', 'completed', 'sandbox', $1, now(), now(), now()
     from generate_series(1, $2::int)`,
    [sellerId, count],
  )

test('200: everything that is kept about a seller is in one document', async () => {
  const seller = await sellingSeller(app)
  const { id: customerId } = await createCustomer(app, seller)
  await createPayment(app, seller, { customerId })
  await createPayment(app, seller)
  const hook = { url: 'https://hooks.example.com/in', description: 'Loja' }
  expect((await app.api.post('seller-webhooks', { token: seller.token, body: hook })).status).toBe(201)
  await scopedToken(app, seller, ['balance:read'])
  await insertWithdrawals(seller.id, 1)
  await enrol(app, seller)
  const { status, body } = await read(seller.id)
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ id: seller.id, email: seller.email, name: 'Maria da Silva' })
  expect(body.companies).toMatchObject({
    totalRecords: 1,
    data: [{ legalRepCpf: '52998224725', legalRepName: 'Maria da Silva' }],
  })
  expect(body.companies.data[0].documents).toMatchObject([{ fileName: 'cartao.pdf', contentType: 'application/pdf' }])
  expect(body.sessions.data.map(({ kind }: { kind: string }) => kind).sort()).toStrictEqual(['credentials', 'password'])
  expect(body.secondFactor).toMatchObject({ enabledAt: expect.any(String), recoveryCodesLeft: 10 })
  expect(body.credentials).toMatchObject({ scopes: ['balance:read'], clientSecretLast4: expect.any(String) })
  expect(body.webhooks).toMatchObject({ totalRecords: 1, data: [hook] })
  expect(body.withdrawals).toMatchObject({
    totalRecords: 1,
    data: [{ pixKeyType: 'email', pixKey: 'maria@example.com', amount: 100 }],
  })
  expect(body.auditLog.data.map(({ action }: { action: string }) => action)).toContain('company.approve')
  expect(body.paymentCounts).toStrictEqual([{ status: 'pending', count: 2 }])
  expect(body.branding).toStrictEqual({ color: null, logoUrl: null })
  expect([body.customersCount, body.paymentLinksCount, body.recordsMax]).toStrictEqual([1, 0, 5_000])
})

test('200: no secret and nobody else is in it', async () => {
  const seller = await sellingSeller(app)
  const customer = await createCustomer(app, seller)
  const other = await approvedSeller(app)
  await scopedToken(app, seller, ['balance:read'])
  await app.api.post('seller-webhooks', { token: seller.token, body: { url: 'https://hooks.example.com/in' } })
  const { rows: users } = await app.sql.query('select password_hash as secret from users where id = $1', [seller.id])
  const { rows: keys } = await app.sql.query('select secret_hash as secret from api_credentials where seller_id = $1', [
    seller.id,
  ])
  const { rows: hooks } = await app.sql.query(
    'select secret_sealed as secret from seller_webhooks where seller_id = $1',
    [seller.id],
  )
  const { text } = await read(seller.id)
  const secrets = [...users, ...keys, ...hooks].map(({ secret }) => String(secret))
  expect(secrets).toHaveLength(3)
  for (const secret of [...secrets, seller.refreshToken, customer.document, other.id, other.email]) {
    expect(text).not.toContain(secret)
  }
})

test('200: each access is in the audit log, also in the document itself', async () => {
  const { id } = await registerSeller(app)
  await read(id)
  const { body } = await read(id)
  const accesses = body.auditLog.data.filter(({ action }: { action: string }) => action === 'user.export_personal_data')
  expect(accesses).toHaveLength(2)
  expect(accesses[0]).toMatchObject({ actorId: claimsOf(admin).sub, targetType: 'user', targetId: id, sellerId: id })
})

test('200: a long history is bounded, and says how long it is', async () => {
  const { id } = await registerSeller(app)
  await insertWithdrawals(id, 5_001)
  const { body } = await read(id)
  expect([body.withdrawals.totalRecords, body.withdrawals.data.length]).toStrictEqual([5_001, 5_000])
})

test('200: an administrator has an account, logins and acts', async () => {
  const { body } = await read(claimsOf(admin).sub)
  expect(body.user).toMatchObject({ role: 'admin', email: 'admin@example.com' })
  expect([body.companies.totalRecords, body.credentials]).toStrictEqual([0, null])
  expect(body.sessions.totalRecords).toBeGreaterThan(0)
  expect(body.auditLog.totalRecords).toBeGreaterThan(0)
})

test('200: of a deleted user the account says nothing, and the company keeps what the law wants kept', async () => {
  const seller = await approvedSeller(app)
  expect((await app.api.delete(`users/${seller.id}`, { token: seller.token })).status).toBe(204)
  const { body, text } = await read(seller.id)
  expect(body.user).toMatchObject({
    email: `${seller.id}@deleted.invalid`,
    name: 'Anonimizado',
    companyName: 'Anonimizado',
    phone: null,
    deletedAt: expect.any(String),
  })
  expect(text).not.toContain(seller.email)
  expect(body.companies.data).toMatchObject([{ legalRepName: 'Maria da Silva', deletedAt: expect.any(String) }])
  expect(body.credentials).toBeNull()
})

test('404: nobody has this id, and nothing is written into the audit log', async () => {
  const id = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
  expect((await read(id)).body).toMatchObject({ status: 404, code: 'user.not_found' })
  expect((await app.sql.query('select 1 from audit_log where target_id = $1', [id])).rows).toStrictEqual([])
})

test('400, 401 and 403: a bad id, no token, a seller, also about themselves', async () => {
  const { id, token } = await registerSeller(app)
  expect((await read('nonsense')).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
  expect((await app.api.get(`admin/users/${id}/personal-data`)).status).toBe(401)
  expect((await read(id, token)).body).toMatchObject({ status: 403, code: 'auth.forbidden' })
})
