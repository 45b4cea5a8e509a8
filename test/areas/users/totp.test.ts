import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'
import { codeOf, enrol, letTimePass } from '../../support/totp.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(() => app.close())

const begin = ({ id, token, password }: Seller) =>
  app.api.post(`users/${id}/totp`, { token, body: { currentPassword: password } })
const confirm = ({ id, token }: Seller, totpCode: string) =>
  app.api.post(`users/${id}/totp/confirm`, { token, body: { totpCode } })
const disable = ({ id, token }: Seller, body: Record<string, string>) =>
  app.api.post(`users/${id}/totp/disable`, { token, body })
const reset = (id: string, token = admin) => app.api.delete(`admin/users/${id}/totp`, { token })
const state = async ({ id, token }: Pick<Seller, 'id' | 'token'>) =>
  (await app.api.get(`users/${id}/totp`, { token })).body
const login = ({ email, password }: Seller) => app.api.post('auth/login', { body: { email, password } })

const actionsOn = async (id: string): Promise<string[]> => {
  const { rows } = await app.sql.query('select action from audit_log where target_id = $1 order by id', [id])
  return rows.map(({ action }) => action)
}

const DISABLED = { status: 'disabled', enabledAt: null, recoveryCodesLeft: 0 }

test('201: a secret for an app changes nothing until its first code', async () => {
  const seller = await registerSeller(app)
  const { status, body, headers } = await begin(seller)
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(new URL(body.otpauthUrl).searchParams.get('secret')).toBe(body.secret)
  expect(await state(seller)).toStrictEqual({ ...DISABLED, status: 'pending' })
  expect((await login(seller)).status).toBe(200)
})

test('200: its first code puts it in force and answers ten recovery codes', async () => {
  const seller = await registerSeller(app)
  const { secret } = (await begin(seller)).body
  const { status, body } = await confirm(seller, codeOf(secret))
  expect(status).toBe(200)
  expect(new Set(body.recoveryCodes).size).toBe(10)
  expect(await state(seller)).toStrictEqual({
    status: 'enabled',
    enabledAt: expect.stringMatching(/Z$/),
    recoveryCodesLeft: 10,
  })
  expect((await login(seller)).body.code).toBe('auth.totp_required')
  expect(await actionsOn(seller.id)).toStrictEqual(['user.begin_totp', 'user.enable_totp'])
})

test('200: all other sessions end with it, this one stays', async () => {
  const seller = await registerSeller(app)
  const other = (await login(seller)).body.tokens.accessToken
  expect((await app.api.get(`users/${seller.id}`, { token: other })).status).toBe(200)
  await enrol(app, seller)
  expect((await app.api.get(`users/${seller.id}`, { token: other })).body.code).toBe('auth.token_invalid')
  expect((await app.api.post('auth/refresh', { body: { refreshToken: seller.refreshToken } })).status).toBe(200)
})

test('the database holds neither secret nor recovery codes in clear', async () => {
  const seller = await registerSeller(app)
  const { secret, recoveryCodes } = await enrol(app, seller)
  const { rows } = await app.sql.query(
    'select s.*, c.code_hash from totp_secrets s join totp_recovery_codes c using (user_id) where user_id = $1',
    [seller.id],
  )
  expect(rows).toHaveLength(10)
  const kept = JSON.stringify(rows)
  for (const plain of [secret, ...recoveryCodes]) expect(kept).not.toContain(plain)
})

test('201: asking again replaces the secret that waits', async () => {
  const seller = await registerSeller(app)
  const first = (await begin(seller)).body.secret
  const second = (await begin(seller)).body.secret
  expect((await confirm(seller, codeOf(first))).body.code).toBe('totp.code_invalid')
  expect((await confirm(seller, codeOf(second))).status).toBe(200)
})

test('of confirmations at the same moment one wins', async () => {
  const seller = await registerSeller(app)
  const { secret } = (await begin(seller)).body
  const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(seller, codeOf(secret))))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409, 409])
  expect((await state(seller)).recoveryCodesLeft).toBe(10)
})

test('409 and 422: what does not fit the state, and wrong codes and passwords', async () => {
  const seller = await registerSeller(app)
  expect((await confirm(seller, '123456')).body.code).toBe('totp.not_pending')
  expect((await disable(seller, { totpCode: '123456' })).body.code).toBe('totp.not_enabled')
  expect((await begin({ ...seller, password: 'not this one' })).body.code).toBe('user.password_incorrect')
  await enrol(app, seller)
  expect((await begin(seller)).body.code).toBe('totp.already_enabled')
  expect((await confirm(seller, '123456')).body.code).toBe('totp.not_pending')
  expect((await disable(seller, { recoveryCode: 'AAAA' })).body.code).toBe('totp.code_invalid')
})

test('204: a code takes it away, and so does a recovery code', async () => {
  for (const proofOf of [
    ({ secret }: { secret: string }) => ({ totpCode: codeOf(secret) }),
    ({ recoveryCodes }: { recoveryCodes: string[] }) => ({ recoveryCode: recoveryCodes[3] ?? '' }),
  ]) {
    const seller = await registerSeller(app)
    const enrolled = await enrol(app, seller)
    await letTimePass(app, seller.id)
    expect(await disable(seller, proofOf(enrolled as never))).toMatchObject({ status: 204, text: '' })
    expect(await state(seller)).toStrictEqual(DISABLED)
    expect((await login(seller)).status).toBe(200)
    expect(await actionsOn(seller.id)).toContain('user.disable_totp')
  }
})

test('429: a session that guesses codes here has to wait, with every question for a proof', async () => {
  const seller = await registerSeller(app)
  const { secret } = await enrol(app, seller)
  const answers = await Promise.all(Array.from({ length: 12 }, () => disable(seller, { recoveryCode: 'AAAA' })))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([...Array(10).fill(422), 429, 429])
  expect((await disable(seller, { totpCode: codeOf(secret, 1) })).body.code).toBe('auth.account_locked')
  expect((await begin(seller)).body.code).toBe('auth.account_locked')
})

test('204: an administrator lets somebody in again who lost both phone and codes', async () => {
  const seller = await registerSeller(app)
  await enrol(app, seller)
  expect(await state({ id: seller.id, token: admin })).toMatchObject({ status: 'enabled' })
  expect(await reset(seller.id)).toMatchObject({ status: 204, text: '' })
  expect((await app.api.get(`users/${seller.id}`, { token: seller.token })).body.code).toBe('auth.token_invalid')
  expect((await login(seller)).status).toBe(200)
  const { rows } = await app.sql.query(
    "select actor_id, seller_id from audit_log where target_id = $1 and action = 'user.reset_totp'",
    [seller.id],
  )
  expect(rows).toStrictEqual([{ actor_id: claimsOf(admin).sub, seller_id: seller.id }])
  expect((await reset(seller.id)).body.code).toBe('totp.not_enabled')
})

test('a secret that waits is not reset: it keeps nobody out', async () => {
  const seller = await registerSeller(app)
  await begin(seller)
  expect((await reset(seller.id)).body.code).toBe('totp.not_enabled')
  expect((await state(seller)).status).toBe('pending')
})

test('409: administrators do not get around their own second factor', async () => {
  expect((await reset(claimsOf(admin).sub)).body.code).toBe('totp.own_account')
})

test('404 and 403: nobody touches another’s second factor but an administrator who resets it', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const asOne = { ...other, token: one.token, password: one.password }
  const asAdmin = { ...other, token: admin }
  for (const answer of [
    await begin(asOne),
    await confirm(asOne, '123456'),
    await disable(asOne, { totpCode: '123456' }),
    await app.api.get(`users/${other.id}/totp`, { token: one.token }),
    await begin(asAdmin),
    await confirm(asAdmin, '123456'),
    await disable(asAdmin, { totpCode: '123456' }),
    await app.api.get(`users/${randomUUID()}/totp`, { token: admin }),
    await reset(randomUUID()),
  ]) {
    expect([answer.status, answer.body.code]).toStrictEqual([404, 'user.not_found'])
  }
  expect((await reset(other.id, one.token)).body.code).toBe('auth.forbidden')
})

test('a deleted account keeps no secret, and the server’s shell takes an administrator’s away', async () => {
  const seller = await registerSeller(app)
  await enrol(app, seller)
  expect((await app.api.delete(`users/${seller.id}`, { token: seller.token })).status).toBe(204)
  const body = { email: `admin-${seller.id}@example.com`, password: seller.password, name: 'A', companyName: 'B' }
  const made = await app.api.post('users', { token: admin, body: { ...body, role: 'admin' } })
  const { tokens } = (await app.api.post('auth/login', { body: { email: body.email, password: body.password } })).body
  await enrol(app, { id: made.body.id, token: tokens.accessToken, password: body.password })
  const password = await app.services.users.resetAdminPassword(body.email)
  expect((await app.api.post('auth/login', { body: { email: body.email, password } })).status).toBe(200)
  const { rows } = await app.sql.query('select 1 from totp_secrets where user_id = any($1)', [
    [seller.id, made.body.id],
  ])
  expect(rows).toStrictEqual([])
})

test('400: bad codes are named, and disabling takes exactly one kind', async () => {
  const seller = await registerSeller(app)
  const faultOf = async (body: Record<string, string>) => (await disable(seller, body)).body.errors[0].path
  expect((await confirm(seller, '12345')).body.errors[0].path).toBe('totpCode')
  expect(await faultOf({})).toBe('totpCode')
  expect(await faultOf({ totpCode: '123456', recoveryCode: 'AAAA' })).toBe('totpCode')
  expect(await faultOf({ recoveryCode: '' })).toBe('recoveryCode')
})

test('401: without a token', async () => {
  const id = randomUUID()
  for (const answer of [
    await app.api.get(`users/${id}/totp`),
    await app.api.post(`users/${id}/totp`, { body: {} }),
    await app.api.post(`users/${id}/totp/confirm`, { body: {} }),
    await app.api.post(`users/${id}/totp/disable`, { body: {} }),
    await app.api.delete(`admin/users/${id}/totp`),
  ]) {
    expect(answer.body.code).toBe('auth.token_missing')
  }
})
