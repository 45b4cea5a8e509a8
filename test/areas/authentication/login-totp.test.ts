import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { codeOf, enrol, letTimePass } from '../../support/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Proof = { totpCode?: string; recoveryCode?: string }

const login = ({ email, password }: Seller, proof: Proof = {}) =>
  app.api.post('auth/login', { body: { email, password, ...proof } })

const enrolled = async () => {
  const seller = await registerSeller(app)
  return { seller, ...(await enrol(app, seller)) }
}

// None of the codes that are good around now.
const wrongCode = (secret: string): string => {
  const good = [-1, 0, 1, 2].map((ahead) => codeOf(secret, ahead))
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !good.includes(code)) ?? ''
}

const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work))

test('200: password and code open a session', async () => {
  const { seller, secret } = await enrolled()
  const answer = await login(seller, { totpCode: codeOf(secret, 1) })
  expect(answer).toMatchObject({ status: 200, body: { user: { id: seller.id }, tokens: { tokenType: 'Bearer' } } })
})

test('401: the right password alone is told apart, and only the right one', async () => {
  const { seller } = await enrolled()
  const required = await login(seller)
  expect(required).toMatchObject({ status: 401, body: { code: 'auth.totp_required' } })
  expect(required.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect(required.body).not.toHaveProperty('tokens')
  const wrong = await login({ ...seller, password: 'not the password' })
  expect(wrong.body.code).toBe('auth.credentials_invalid')
  const both = await login({ ...seller, password: 'not the password' }, { totpCode: '000000' })
  expect(both.body.code).toBe('auth.credentials_invalid')
})

test('401: a wrong code opens nothing', async () => {
  const { seller, secret } = await enrolled()
  expect(await login(seller, { totpCode: wrongCode(secret) })).toMatchObject({
    status: 401,
    body: { code: 'auth.totp_invalid' },
  })
  expect((await login(seller, { recoveryCode: 'AAAA-AAAA-AAAA-AAAA' })).body.code).toBe('auth.totp_invalid')
})

test('401: a code is good once, also among many log-ins at the same moment', async () => {
  const { seller, secret } = await enrolled()
  expect((await login(seller, { totpCode: codeOf(secret) })).body.code).toBe('auth.totp_invalid')
  const totpCode = codeOf(secret, 1)
  const answers = await times(6, () => login(seller, { totpCode }))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 401, 401, 401, 401, 401])
})

test('401: after a code none of before it is good', async () => {
  const { seller, secret } = await enrolled()
  await letTimePass(app, seller.id)
  const [now, next] = [codeOf(secret), codeOf(secret, 1)]
  expect((await login(seller, { totpCode: next })).status).toBe(200)
  expect((await login(seller, { totpCode: now })).body.code).toBe('auth.totp_invalid')
})

test('200: a recovery code opens a session once, however it is written, and the audit log says so', async () => {
  const { seller, recoveryCodes } = await enrolled()
  const [first = '', second = ''] = recoveryCodes
  const answers = await times(3, () => login(seller, { recoveryCode: first }))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 401, 401])
  expect((await login(seller, { recoveryCode: second.toLowerCase().replaceAll('-', ' ') })).status).toBe(200)
  const { rows } = await app.sql.query(
    "select actor_id, after from audit_log where target_id = $1 and action = 'user.use_recovery_code' order by id",
    [seller.id],
  )
  expect(rows).toStrictEqual([
    { actor_id: seller.id, after: { recoveryCodesLeft: 9 } },
    { actor_id: seller.id, after: { recoveryCodesLeft: 8 } },
  ])
})

test('429: wrong codes count like wrong passwords, and a right code does not get past the lock', async () => {
  const { seller, secret } = await enrolled()
  const totpCode = wrongCode(secret)
  const answers = await times(12, () => login(seller, { totpCode }))
  expect(answers.map(({ status }) => status).sort()).toStrictEqual([...Array(10).fill(401), 429, 429])
  expect((await login(seller, { totpCode: codeOf(secret, 1) })).body.code).toBe('auth.account_locked')
})

test('a question for the code forgets no failures', async () => {
  const { seller, secret } = await enrolled()
  await times(9, () => login({ ...seller, password: 'not the password' }))
  expect((await login(seller)).body.code).toBe('auth.totp_required')
  expect((await login(seller, { totpCode: wrongCode(secret) })).body.code).toBe('auth.totp_invalid')
  expect((await login(seller, { totpCode: codeOf(secret, 1) })).status).toBe(429)
})

test('200: an account without a second factor takes any code', async () => {
  const seller = await registerSeller(app)
  expect((await login(seller, { totpCode: '123456' })).status).toBe(200)
})

test('400: a code and a recovery code at once', async () => {
  const seller = await registerSeller(app)
  const { status, body } = await login(seller, { totpCode: '123456', recoveryCode: 'AAAA' })
  expect([status, body.errors[0].path]).toStrictEqual([400, 'recoveryCode'])
})
