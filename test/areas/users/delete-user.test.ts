import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { adminToken, createCompany, newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const remove = (id: string, token: string | undefined) => app.api.delete(`users/${id}`, { token })
const codeOf = ({ status, body }: { status: number; body: { code?: string } | undefined }) =>
  `${status} ${body?.code ?? ''}`

const createAdmin = async (): Promise<{ id: string; token: string }> => {
  const body = { email: newEmail(), password: 'dois cafés e um pão' }
  const person = { ...body, name: 'Ana', companyName: 'Plataforma', role: 'admin' }
  const { id } = (await app.api.post('users', { token: await adminToken(app), body: person })).body
  const login = await app.api.post('auth/login', { body })
  return { id, token: login.body.tokens.accessToken }
}

test('204: sessions and API credentials end at once, and the person is gone from the account', async () => {
  const { id, email, token, refreshToken } = await registerSeller(app)
  const { body: api } = await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
  const keys = { clientId: api.clientId, clientSecret: api.clientSecret }
  const { body: apiLogin } = await app.api.post('integrations/login', { body: keys })
  expect(codeOf(await app.api.get(`users/${id}`, { token: apiLogin.accessToken }))).toBe('403 auth.scope_missing')

  expect(await remove(id, token)).toMatchObject({ status: 204, text: '' })

  expect(codeOf(await app.api.get(`users/${id}`, { token }))).toBe('401 auth.token_invalid')
  expect(codeOf(await app.api.get(`users/${id}`, { token: apiLogin.accessToken }))).toBe('401 auth.token_invalid')
  expect(codeOf(await app.api.post('auth/refresh', { body: { refreshToken } }))).toBe('401 auth.refresh_token_invalid')
  expect(codeOf(await app.api.post('integrations/login', { body: keys }))).toBe('401 auth.credentials_invalid')
  const { rows } = await app.sql.query('select u::text as kept, deleted_at from users u where id = $1', [id])
  expect(rows[0].deleted_at).toBeInstanceOf(Date)
  expect(rows[0].kept).not.toContain(email)
  expect(rows[0].kept).not.toContain('Maria da Silva')
})

test('204: webhooks and companies end with the account, so that another may take the CNPJ', async () => {
  const seller = await registerSeller(app)
  const company = await createCompany(app, seller)
  const body = { url: 'https://93.184.216.34/hooks' }
  const webhook = await app.api.post('seller-webhooks', { token: seller.token, body })
  expect(webhook.status).toBe(201)
  expect((await remove(seller.id, seller.token)).status).toBe(204)
  const { rows } = await app.sql.query(
    'select deleted_at is not null as ended from seller_webhooks where seller_id = $1 union all select deleted_at is not null from companies where seller_id = $1',
    [seller.id],
  )
  expect(rows).toStrictEqual([{ ended: true }, { ended: true }])
  const other = await registerSeller(app)
  expect((await createCompany(app, other, { cnpj: company.cnpj })).cnpj).toBe(company.cnpj)
})

test('409: a refused deletion ends nothing', async () => {
  const { id, token } = await registerSeller(app)
  const { body: api } = await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
  await app.sql.query("update ledger_accounts set balance_amount = 1 where seller_id = $1 and account = 'pending'", [
    id,
  ])
  expect((await remove(id, token)).status).toBe(409)
  const keys = { clientId: api.clientId, clientSecret: api.clientSecret }
  expect((await app.api.post('integrations/login', { body: keys })).status).toBe(200)
})

test('204: the address is free again', async () => {
  const { id, email, password, token } = await registerSeller(app)
  await remove(id, token)
  const body = { email, password, name: 'Maria', companyName: 'Outra padaria' }
  const again = await app.api.post('auth/register', { body })
  expect(again.status).toBe(201)
  expect(again.body.user.id).not.toBe(id)
})

test('204: an administrator may delete a seller, and the audit log says so without the address', async () => {
  const { id, email } = await registerSeller(app)
  expect((await remove(id, await adminToken(app))).status).toBe(204)
  const { rows } = await app.sql.query("select * from audit_log where target_id = $1 and action = 'user.delete'", [id])
  expect(rows).toMatchObject([{ actor_role: 'admin', seller_id: id, before: { role: 'seller' } }])
  expect(JSON.stringify(rows)).not.toContain(email)
})

test('409: not while any of the five buckets holds or owes money', async () => {
  for (const account of ['available', 'pending', 'reserved', 'blocked', 'withdrawing']) {
    for (const amount of [1, -1]) {
      const { id, token } = await registerSeller(app)
      const set = (value: number) =>
        app.sql.query('update ledger_accounts set balance_amount = $3 where seller_id = $1 and account = $2', [
          id,
          account,
          value,
        ])
      await set(amount)
      expect(codeOf(await remove(id, token)), `${account} ${amount}`).toBe('409 user.balance_not_zero')
      expect((await app.api.get(`users/${id}`, { token })).status).toBe(200)
      await set(0)
      expect((await remove(id, token)).status).toBe(204)
    }
  }
})

test('204: the platform’s own accounts in a seller’s book keep nobody here', async () => {
  const { id, token } = await registerSeller(app)
  await app.sql.query(
    "update ledger_accounts set balance_amount = 500 where seller_id = $1 and account = 'fee_revenue'",
    [id],
  )
  expect((await remove(id, token)).status).toBe(204)
})

test('404: another seller’s, a missing and an already deleted account', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  expect(codeOf(await remove(other.id, one.token))).toBe('404 user.not_found')
  expect(codeOf(await remove(randomUUID(), one.token))).toBe('404 user.not_found')
  expect(codeOf(await remove(randomUUID(), await adminToken(app)))).toBe('404 user.not_found')
  await remove(other.id, other.token)
  expect(codeOf(await remove(other.id, await adminToken(app)))).toBe('404 user.not_found')
})

test('204: of several deletions at the same moment one acts', async () => {
  const { id } = await registerSeller(app)
  const token = await adminToken(app)
  const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id, token)))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([204, 404, 404, 404, 404])
  const { rows } = await app.sql.query("select from audit_log where target_id = $1 and action = 'user.delete'", [id])
  expect(rows).toHaveLength(1)
})

test('204: a deletion and logins of the same account at the same moment do not wait for each other', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, email, password, token, refreshToken } = await registerSeller(app)
    const { body: api } = await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
    const keys = { clientId: api.clientId, clientSecret: api.clientSecret }
    const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    const before = (await app.sql.query(deadlocks)).rows
    const [deletion, ...others] = await Promise.all([
      remove(id, token),
      ...Array.from({ length: 4 }, () => app.api.post('integrations/login', { body: keys })),
      app.api.post('auth/login', { body: { email, password } }),
      app.api.post('auth/refresh', { body: { refreshToken } }),
      app.api.put(`users/${id}`, { token, body: { name: 'Maria', companyName: 'Padaria' } }),
    ])
    expect(deletion?.status).toBe(204)
    for (const { status } of others) expect([200, 401, 404]).toContain(status)
    expect((await app.sql.query(deadlocks)).rows).toStrictEqual(before)
    const tokens = others.flatMap(({ body }) => body.accessToken ?? body.tokens?.accessToken ?? [])
    const uses = await Promise.all(tokens.map((open) => app.api.get(`users/${id}`, { token: open })))
    expect(uses.map(({ status }) => status)).toStrictEqual(uses.map(() => 401))
  }
})

test('409: administrators who delete each other at the same moment leave one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [one, other] = [await createAdmin(), await createAdmin()]
    await app.sql.query("update users set role = 'seller' where role = 'admin' and id <> all($1)", [[one.id, other.id]])
    const deletions = [() => remove(one.id, other.token), () => remove(other.id, one.token)]
    const answers = await race(app, { table: 'users', id: one.id }, deletions)
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([204, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.code).toBe('user.last_administrator')
    await app.sql.query("update users set role = 'admin' where email = $1", [app.config.admin.email])
  }
})

test('409: the last administrator cannot leave', async () => {
  await app.sql.query("update users set role = 'seller' where role = 'admin' and email <> $1", [app.config.admin.email])
  const token = await adminToken(app)
  const { rows } = await app.sql.query("select id from users where role = 'admin' and deleted_at is null")
  expect(rows).toHaveLength(1)
  expect(codeOf(await remove(rows[0].id, token))).toBe('409 user.last_administrator')
  expect((await app.api.get(`users/${rows[0].id}`, { token })).body.deletedAt).toBeNull()
})

test('400 and 401: an id that is none, and no token', async () => {
  expect((await remove('me', await adminToken(app))).status).toBe(400)
  expect((await remove(randomUUID(), undefined)).status).toBe(401)
})
