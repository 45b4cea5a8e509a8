import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { newEmail, registerSeller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1/32' })
})
afterAll(() => app.close())

const person = { password: 'dois cafés e um pão', name: 'Maria da Silva', companyName: 'Padaria da Maria' }

const pathsOf = (answer: { body: { errors: { in: string; path: string; code: string }[] } }) =>
  answer.body.errors.map(({ path }) => path).sort()

test('201: a seller is registered, not approved, and logged in', async () => {
  const email = newEmail()
  const answer = await app.api.post('auth/register', { body: { ...person, email, phone: '+55 (11) 91234-5678' } })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toStrictEqual({
    user: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email,
      name: person.name,
      role: 'seller',
      sellerId: answer.body.user.id,
      accessRole: 'owner',
      companyName: person.companyName,
      phone: '11912345678',
      approved: false,
      emailVerifiedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: answer.body.user.createdAt,
      deletedAt: null,
    },
    tokens: {
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    },
  })
  const claims = claimsOf(answer.body.tokens.accessToken)
  expect(claims).toMatchObject({ sub: answer.body.user.id, iss: 'payment-platform' })
  expect(claims.exp - claims.iat).toBe(900)
  const own = await app.api.get(`users/${answer.body.user.id}`, { token: answer.body.tokens.accessToken })
  expect(own.body).toStrictEqual(answer.body.user)
})

test('201: a new seller has an empty book and both configurations', async () => {
  const { id } = await registerSeller(app)
  const accounts = await app.sql.query('select balance_amount from ledger_accounts where seller_id = $1', [id])
  expect(accounts.rows.map((row) => Number(row.balance_amount))).toStrictEqual(Array(10).fill(0))
  for (const table of ['reserve_configs', 'withdrawal_configs']) {
    expect((await app.sql.query(`select from ${table} where seller_id = $1`, [id])).rowCount, table).toBe(1)
  }
})

test('201: neither password nor token is kept as it is', async () => {
  const { email, refreshToken, password } = await registerSeller(app)
  const { rows } = await app.sql.query(
    'select u::text || s::text || t::text as kept from users u join sessions s on s.user_id = u.id join refresh_tokens t on t.session_id = s.id where email = $1',
    [email],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].kept).not.toContain(refreshToken)
  expect(rows[0].kept).not.toContain(password)
})

test('409: an address is taken, however it is written', async () => {
  const { email } = await registerSeller(app)
  const answer = await app.api.post('auth/register', { body: { ...person, email: ` ${email.toUpperCase()} ` } })
  expect(answer).toMatchObject({ status: 409, body: { code: 'user.email_taken' } })
})

test('409: of ten registrations of one address at the same moment one wins', async () => {
  const email = newEmail()
  const headers = { 'x-forwarded-for': '203.0.113.99' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => app.api.post('auth/register', { body: { ...person, email }, headers })),
  )
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, ...Array(9).fill(409)])
  const { rows } = await app.sql.query('select id from users where email = $1', [email])
  expect(rows).toHaveLength(1)
})

test('400: every fault is named at once', async () => {
  const body = {
    email: 'nobody',
    password: 'short',
    name: ' ',
    companyName: 'x'.repeat(121),
    phone: '123',
    role: 'admin',
  }
  const answer = await app.api.post('auth/register', { body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation.failed' } })
  expect(pathsOf(answer)).toStrictEqual(['companyName', 'email', 'name', 'password', 'phone', 'role'])
})

test('400: a body without anything', async () => {
  const answer = await app.api.post('auth/register', { body: {} })
  expect(pathsOf(answer)).toStrictEqual(['companyName', 'email', 'name', 'password'])
})

test('400: a password that guessers try first', async () => {
  for (const password of ['password', 'PASSWORD', 'password123', '12345678']) {
    const answer = await app.api.post('auth/register', { body: { ...person, email: newEmail(), password } })
    expect(answer.status, password).toBe(400)
    expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'password', code: 'password_common' }])
  }
})

test('400: the own address as password', async () => {
  const email = newEmail()
  for (const password of [email, email.slice(0, email.indexOf('@'))]) {
    const answer = await app.api.post('auth/register', { body: { ...person, email, password } })
    expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'password', code: 'password_common' }])
  }
})

test('400: passwords have from 8 to 128 characters', async () => {
  const statusOf = async (password: string) =>
    (await app.api.post('auth/register', { body: { ...person, email: newEmail(), password } })).status
  expect(await statusOf('j7$kQ9z')).toBe(400)
  expect(await statusOf('j7$kQ9zX')).toBe(201)
  const long = 'dois cafés e um pão na chapa, '.repeat(5)
  expect(await statusOf(long.slice(0, 128))).toBe(201)
  expect(await statusOf(long.slice(0, 129))).toBe(400)
})

test('429: who asks again and again whether an address is taken is not told any more, and others are', async () => {
  const elsewhere = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1/32' })
  try {
    const seller = await registerSeller(elsewhere)
    const ask = (email: string, from: string) => {
      const body = { email, password: 'dois cafés e um pão', name: 'Maria', companyName: 'Padaria' }
      return elsewhere.api.post('auth/register', { body, headers: { 'x-forwarded-for': from } })
    }
    for (let asked = 0; asked < 10; asked += 1) expect((await ask(seller.email, '203.0.113.7')).status).toBe(409)
    const refused = await ask(newEmail(), '203.0.113.7')
    expect(refused).toMatchObject({ status: 429, body: { code: 'server.too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    // Nor is somebody else told of the address that was asked about so often.
    expect((await ask(seller.email, '203.0.113.8')).status).toBe(429)
    expect((await ask(newEmail(), '203.0.113.8')).status).toBe(201)
  } finally {
    await elsewhere.close()
  }
})
