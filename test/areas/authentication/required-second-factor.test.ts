import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'
import { enrol } from '../../support/totp.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ SECOND_FACTOR_REQUIRED: 'admins, withdrawals' })
})

afterAll(() => app.close())

const withdraw = (token: string) =>
  app.api.post('withdrawals', {
    token,
    headers: { 'idempotency-key': 'w1' },
    body: { amount: 1_000, pixKeyType: 'email', pixKey: 'maria@example.com' },
  })

test('403: who withdraws needs a second factor, and everything else goes without', async () => {
  const seller = await registerSeller(app)
  expect(await withdraw(seller.token)).toMatchObject({ status: 403, body: { code: 'auth.second_factor_required' } })
  expect((await app.api.get('balance', { token: seller.token })).status).toBe(200)
  await enrol(app, seller)
  expect((await withdraw(seller.token)).body.code).toBe('seller.not_approved')
})

test('403: an administrator without a second factor can set one up and nothing else', async () => {
  const token = await adminToken(app)
  const admin = { id: claimsOf(token).sub, token, password: app.config.admin.password ?? '' }
  const list = () => app.api.get('admin/members', { token })
  expect(await list()).toMatchObject({ status: 403, body: { code: 'auth.second_factor_required' } })
  expect((await app.api.get(`users/${admin.id}`, { token })).status).toBe(200)
  await enrol(app, admin)
  expect((await list()).status).toBe(200)
})
