import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller } from '../../support/factories.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
})
afterAll(() => app.close())

const person = (role = 'seller') => ({
  email: newEmail(),
  password: 'dois cafés e um pão',
  name: 'João Pereira',
  role,
  companyName: 'Mercado do João',
})
const create = (body: unknown, headers: Record<string, string> = {}, as: string | undefined = token) =>
  app.api.post('users', { token: as, body, headers })

test('201: a seller, not approved, with a book and both configurations', async () => {
  const body = person()
  const answer = await create({ ...body, phone: '(21) 3333-4444' })
  const { password, ...shown } = body
  expect(answer.status).toBe(201)
  expect(answer.body).toStrictEqual({
    ...shown,
    id: expect.any(String),
    sellerId: answer.body.id,
    accessRole: 'owner',
    phone: '2133334444',
    approved: false,
    emailVerifiedAt: null,
    createdAt: expect.any(String),
    updatedAt: answer.body.createdAt,
    deletedAt: null,
  })
  const { rows } = await app.sql.query(
    'select (select count(*) from ledger_accounts where seller_id = $1)::int as accounts, (select count(*) from reserve_configs where seller_id = $1)::int as reserves, (select count(*) from withdrawal_configs where seller_id = $1)::int as withdrawals',
    [answer.body.id],
  )
  expect(rows).toStrictEqual([{ accounts: 10, reserves: 1, withdrawals: 1 }])
  expect((await app.api.post('auth/login', { body: { email: body.email, password } })).status).toBe(200)
})

test('201: an administrator, who needs no approval and has no book', async () => {
  const body = person('admin')
  const { id, role, approved } = (await create(body)).body
  expect({ role, approved }).toStrictEqual({ role: 'admin', approved: true })
  expect((await app.sql.query('select from ledger_accounts where seller_id = $1', [id])).rowCount).toBe(0)
  const login = await app.api.post('auth/login', { body: { email: body.email, password: body.password } })
  expect((await create(person(), {}, login.body.tokens.accessToken)).status).toBe(201)
})

test('201: the act is in the audit log, with personal data masked', async () => {
  const body = person()
  const { id } = (await create(body)).body
  const { rows } = await app.sql.query('select * from audit_log where target_id = $1', [id])
  expect(rows).toMatchObject([
    { action: 'user.create', actor_role: 'admin', target_type: 'user', seller_id: id, before: null },
  ])
  const kept = JSON.stringify(rows)
  for (const secret of [body.email, body.name, body.password]) expect(kept).not.toContain(secret)
})

test('201: a repeated Idempotency-Key answers with the first user', async () => {
  const body = person()
  const headers = { 'idempotency-key': 'make-joao' }
  const first = await create(body, headers)
  const repeat = await create(body, headers)
  expect(repeat).toMatchObject({ status: 201, text: first.text })
  expect(repeat.headers.get('idempotency-replayed')).toBe('true')
  const other = await create({ ...body, password: 'another good password' }, headers)
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency.key_reused' } })
})

test('201: what is kept of a repeatable request is no way to its password', async () => {
  const { createHash } = await import('node:crypto')
  const body = person()
  await create(body, { 'idempotency-key': 'kept' })
  const { rows } = await app.sql.query("select request_hash from idempotency_keys where key = 'kept'")
  expect(rows).toHaveLength(1)
  expect(rows[0].request_hash).not.toBe(createHash('sha256').update(JSON.stringify(body)).digest('hex'))
})

test('409: of several with one address at the same moment one wins', async () => {
  const body = person()
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(body)))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, ...Array(5).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('user.email_taken')
})

test('400: every fault is named at once', async () => {
  const answer = await create({ email: 'x', password: 'short', role: 'owner', name: '', approved: true })
  expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toStrictEqual([
    'approved',
    'companyName',
    'email',
    'name',
    'password',
    'role',
  ])
  expect((await create({ ...person(), password: 'password1' })).body.errors).toMatchObject([
    { code: 'password_common' },
  ])
})

test('401 and 403: only administrators', async () => {
  expect((await app.api.post('users', { body: {} })).body.code).toBe('auth.token_missing')
  const seller = await registerSeller(app)
  expect(await create({}, {}, seller.token)).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })
})
