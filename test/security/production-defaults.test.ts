import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { newEmail, registerSeller } from '../support/factories.ts'
import { PRODUCTION } from '../support/production.ts'
import { claimsOf } from '../support/tokens.ts'
import { codeOf, enrol, letTimePass } from '../support/totp.ts'

let app: TestApp

// Nothing of the rules is set: they are those that production has by itself.
beforeAll(async () => {
  app = await startTestApp(PRODUCTION)
})
afterAll(() => app.close())

const login = (email: string, password: string, proof: object = {}) =>
  app.api.post('auth/login', { body: { email, password, ...proof } })

/** Does something within one half minute: again where the next one began meanwhile. */
const withinOneStep = async (work: () => Promise<void>): Promise<void> => {
  const step = () => Math.floor(Date.now() / 30_000)
  const before = step()
  await work().catch(async (error: unknown) => {
    if (step() === before) throw error
    await work()
  })
}

test('403: a seller without a second factor can set one up and nothing else', async () => {
  const seller = await registerSeller(app)
  const balance = () => app.api.get('balance', { token: seller.token })
  expect(await balance()).toMatchObject({ status: 403, body: { code: 'auth.second_factor_required' } })
  expect((await app.api.get(`users/${seller.id}`, { token: seller.token })).status).toBe(200)
  await withinOneStep(async () => void (await enrol(app, seller)))
  expect((await balance()).status).toBe(200)
})

test('401: a code is good in its own half minute alone, and one that comes late is no guess', async () => {
  const seller = await registerSeller(app)
  let secret = ''
  await withinOneStep(async () => {
    secret = (await enrol(app, seller)).secret
  })
  await withinOneStep(async () => {
    await letTimePass(app, seller.id)
    for (let times = 0; times < 12; times += 1) {
      const late = await login(seller.email, seller.password, { totpCode: codeOf(secret, -1) })
      expect(late).toMatchObject({ status: 401, body: { code: 'auth.totp_invalid' } })
    }
    const early = await login(seller.email, seller.password, { totpCode: codeOf(secret, 1) })
    expect(early).toMatchObject({ status: 401, body: { code: 'auth.totp_invalid' } })
    expect((await login(seller.email, seller.password, { totpCode: codeOf(secret) })).status).toBe(200)
  })
})

test('403: a password that was made up opens the account for a day, to choose another one', async () => {
  const { email } = app.config.admin
  const madeUp = (await app.services.users.resetAdminPassword(email)) ?? ''
  const { tokens, user } = (await login(email, madeUp)).body
  const token = tokens.accessToken
  const enrolled = { id: user.id, token, password: madeUp }
  await withinOneStep(async () => void (await enrol(app, enrolled)))
  expect(await app.api.get('admin/members', { token })).toMatchObject({
    status: 403,
    body: { code: 'auth.password_change_required' },
  })
  const change = (newPassword: string) =>
    app.api.put(`users/${user.id}/password`, { token, body: { currentPassword: madeUp, newPassword } })
  expect((await change(madeUp)).body.errors).toMatchObject([{ path: 'newPassword', code: 'password_unchanged' }])
  expect((await change('mesa azul janela trilho')).status).toBe(204)
  expect((await app.api.get('admin/members', { token })).status).toBe(200)
  const again = (await app.services.users.resetAdminPassword(email)) ?? ''
  await app.sql.query('update users set password_expires_at = now() where email = $1', [email])
  expect(await login(email, again)).toMatchObject({ status: 401, body: { code: 'auth.password_expired' } })
  expect((await login(email, 'not the password')).body.code).toBe('auth.credentials_invalid')
})

test('the first administrator’s made-up password ends, one that the operator gave does not', async () => {
  const endOf = async (email: string) =>
    (await app.sql.query('select password_expires_at from users where email = $1', [email])).rows[0].password_expires_at
  const made = async (given: { email: string; password?: string }) => {
    await app.sql.query('delete from totp_recovery_codes; delete from totp_secrets; delete from sessions')
    await app.sql.query("delete from users where role = 'admin'")
    await app.services.authentication.ensureFirstAdmin(given)
    return endOf(given.email)
  }
  const end: Date = await made({ email: newEmail() })
  expect(Math.round((end.getTime() - Date.now()) / 60_000)).toBe(24 * 60)
  expect(await made({ email: newEmail(), password: 'a password from outside' })).toBeNull()
})

test('400: a webhook without TLS is refused', async () => {
  const seller = await registerSeller(app)
  await withinOneStep(async () => void (await enrol(app, seller)))
  const add = (url: string) => app.api.post('seller-webhooks', { token: seller.token, body: { url } })
  const refused = await add('http://example.com/hook')
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toMatchObject([
    { path: 'url', code: 'scheme_not_allowed', message: 'must begin with https://' },
  ])
  expect((await add('https://example.com/hook')).status).toBe(201)
  expect(claimsOf(seller.token).sub).toBe(seller.id)
})

test('who is searched for stands in a header, and not in the address', async () => {
  const seller = await registerSeller(app)
  await withinOneStep(async () => void (await enrol(app, seller)))
  const { token } = seller
  for (const text of ['ana@example.com', '529.982.247-25', '12.ABC.345/01DE-35', '+55 (11) 98765-4321']) {
    const refused = await app.api.get(`customers?search=${encodeURIComponent(text)}`, { token })
    expect(refused.status, text).toBe(400)
    expect(refused.body.errors).toMatchObject([{ in: 'query', path: 'search', code: 'personal_data_in_url' }])
  }
  expect((await app.api.get('customers?search=padaria', { token })).status).toBe(200)
  expect((await app.api.get('payments?search=01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', { token })).status).toBe(200)
  const body = { name: 'Ana João', email: 'ana.joao@example.com' }
  expect((await app.api.post('customers', { token, body })).status).toBe(201)
  const named = async (text: string, path = 'customers') =>
    app.api.get(path, { token, headers: { 'search-text': encodeURIComponent(text) } })
  for (const text of [body.email, 'ana joão']) expect((await named(text)).body.totalRecords, text).toBe(1)
  expect((await named('nobody@example.com')).body.totalRecords).toBe(0)
  expect((await named('ana', 'customers?search=ana')).body.errors).toMatchObject([{ in: 'headers', code: 'ambiguous' }])
  expect((await named('a\u0000')).body.errors).toMatchObject([{ path: 'search', code: 'invalid_text' }])
  expect((await named('x'.repeat(101))).status).toBe(400)
  const broken = await app.api.get('customers', { token, headers: { 'search-text': '%E0%A4%A' } })
  expect(broken.body.errors).toMatchObject([{ in: 'headers', path: 'search-text', code: 'invalid_format' }])
  expect(
    (
      await fetch(`${app.url}/api/v1/customers`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}`, 'search-text': 'ana' },
      })
    ).status,
  ).toBe(200)
})
