import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { newEmail, registerSeller } from '../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const register = (password: string, fields: object = {}) => {
  const person = { email: newEmail(), name: 'Maria Souza', companyName: 'Padaria Aurora' }
  return app.api.post('auth/register', { body: { ...person, password, ...fields } })
}

test.each([
  'P@ssw0rd1',
  'Brasil2024',
  'brasil@2024',
  'Senha123!',
  'Mudar@123',
  'Flamengo10',
  'Janeiro2026',
  'qwerty1234',
  '26072001',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
])('400: %s is among the first that guessers try', async (password) => {
  const answer = await register(password)
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'password', code: 'password_common' }])
})

test.each(['PadariaAurora1', 'aurora2026!', 'maria.souza99', 'Souza12345'])(
  '400: %s comes of what everybody knows of the person',
  async (password) => {
    const answer = await register(password, { email: `maria.souza@${newEmail().replace('@', '.')}` })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'password', code: 'password_common' }])
  },
)

test.each(['dois cafés e um pão', 'x8#kQ2!zW', 'mesa azul janela trilho'])('201: %s is good', async (password) => {
  expect((await register(password)).status).toBe(201)
})

test('400: a changed password is judged as a new one', async () => {
  const { id, token, password } = await registerSeller(app)
  for (const newPassword of ['P@ssw0rd1', 'PadariaDaMaria1']) {
    const answer = await app.api.put(`users/${id}/password`, {
      token,
      body: { currentPassword: password, newPassword },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ in: 'body', path: 'newPassword', code: 'password_common' }])
  }
})

test('a long text is judged in no time', async () => {
  const before = performance.now()
  await register('ab@4'.repeat(32))
  await register('4@$5!1073'.repeat(14))
  expect(performance.now() - before).toBeLessThan(5_000)
})

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://platform:hush@db.internal:5432/platform',
  JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
  ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
  PUBLIC_URL: 'https://pay.example.com',
  PROVIDER: 'sandbox',
  ALLOW_SANDBOX: 'true',
}

const faultsOf = (changes: Record<string, string>): string[] => {
  try {
    loadConfig({ ...PRODUCTION, ...changes })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1)
    throw error
  }
}

test.each([
  ['ADMIN_PASSWORD', 'password'],
  ['ADMIN_PASSWORD', 'Admin@2026'],
  ['JWT_SECRET', 'j'.repeat(32)],
  ['JWT_SECRET', 'abababababababababababababababababab'],
  ['ENCRYPTION_KEY', 'e'.repeat(64)],
  ['METRICS_TOKEN', 'm'.repeat(32)],
  ['PUBLIC_URL', 'http://pay.example.com'],
])('production does not start with %s=%s, and says so in one line', (name, value) => {
  const faults = faultsOf({ [name]: value })
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^ {2}${name}: `))])
  if (name !== 'PUBLIC_URL') expect(faults.join()).not.toContain(value)
})

test('production starts with good ones, and on this machine without TLS', () => {
  expect(faultsOf({ ADMIN_PASSWORD: 'mesa azul janela trilho' })).toEqual([])
  expect(faultsOf({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([])
})
