import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { exampleBody, missingPath, neededHeaders } from '../../support/fixtures.ts'
import { type OpenapiDocument, operationsOf } from '../../support/openapi-document.ts'
import { claimsOf } from '../../support/tokens.ts'
import { codeOf, enrol, letTimePass } from '../../support/totp.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

/** Lets a log-in be of some minutes ago. Before its token is used: who it is of is believed for a second. */
const age = async (token: string, minutes: number): Promise<string> => {
  await app.sql.query(
    "update sessions set created_at = created_at - $2 * interval '1 minute', proved_at = null where id = $1",
    [claimsOf(token).sid, minutes],
  )
  return token
}

const agedSeller = async (): Promise<Seller> => {
  const seller = await registerSeller(app)
  await age(seller.token, 11)
  return seller
}

const rotate = ({ token }: Pick<Seller, 'token'>, more: object = {}) =>
  app.api.put('integrations/credentials', { token, body: { rotateSecret: true, ...more } })

const stepUp = ({ token }: Pick<Seller, 'token'>, body: object) => app.api.post('auth/step-up', { token, body })

test('200: a log-in of less than ten minutes ago is proof enough', async () => {
  const seller = await registerSeller(app)
  await age(seller.token, 9)
  expect((await rotate(seller)).status).toBe(200)
})

test('403: a token alone rotates no credentials after ten minutes, and does for who shows the password', async () => {
  const seller = await agedSeller()
  expect(await rotate(seller)).toMatchObject({ status: 403, body: { code: 'auth.step_up_required' } })
  expect((await stepUp(seller, { password: seller.password })).status).toBe(204)
  expect((await rotate(seller)).status).toBe(200)
})

test('204: a code of the second factor is a proof too, once', async () => {
  const seller = await registerSeller(app)
  const { secret } = await enrol(app, seller)
  await letTimePass(app, seller.id)
  const totpCode = codeOf(secret)
  expect((await stepUp(seller, { totpCode })).status).toBe(204)
  expect(await stepUp(seller, { totpCode })).toMatchObject({ status: 403, body: { code: 'auth.step_up_failed' } })
})

test('403: a proof is of one session, and opens no other', async () => {
  const seller = await agedSeller()
  const { email, password } = seller
  const { body } = await app.api.post('auth/login', { body: { email, password } })
  expect((await stepUp({ token: body.tokens.accessToken }, { password })).status).toBe(204)
  expect(await rotate(seller)).toMatchObject({ status: 403, body: { code: 'auth.step_up_required' } })
})

test('403: an account without a second factor steps up with no code', async () => {
  const seller = await registerSeller(app)
  expect((await stepUp(seller, { totpCode: '123456' })).status).toBe(403)
})

test('429: wrong ones count like failed log-ins, and the right one does not help any more', async () => {
  const seller = await agedSeller()
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await stepUp(seller, { password: 'not this one' })).status).toBe(403)
  }
  expect(await stepUp(seller, { password: seller.password })).toMatchObject({
    status: 429,
    body: { code: 'auth.account_locked' },
  })
})

test.each([{}, { password: 'a', totpCode: '123456' }, { totpCode: '12' }])('400: %j is no proof', async (body) => {
  expect((await stepUp(await registerSeller(app), body)).status).toBe(400)
})

test('403: another address needs a proof, another name does not', async () => {
  const { id, token } = await agedSeller()
  const body = { name: 'Maria Souza', companyName: 'Padaria' }
  expect((await app.api.put(`users/${id}`, { token, body })).status).toBe(200)
  const changed = await app.api.put(`users/${id}`, { token, body: { ...body, email: 'mine@example.com' } })
  expect(changed).toMatchObject({ status: 403, body: { code: 'auth.step_up_required' } })
})

test('API credentials need no step-up for what their scopes allow', async () => {
  const seller = await registerSeller(app)
  const { body } = await rotate(seller, { scopes: ['withdrawals:write'] })
  const login = await app.api.post('integrations/login', {
    body: { client_id: body.clientId, client_secret: body.clientSecret },
  })
  const token = await age(login.body.access_token, 11)
  const refused = await app.api.post('withdrawals', {
    token,
    headers: { 'idempotency-key': 'w1' },
    body: { amount: 1_000, pixKeyType: 'email', pixKey: 'maria@example.com' },
  })
  expect(refused.body.code).toBe('seller.not_approved')
})

test('403: every operation that the table guards refuses a token whose proof is old', async () => {
  const tokens = { seller: (await agedSeller()).token, admin: await age(await adminToken(app), 11) }
  const guarded = app.app.accessTable.filter((line) => line.endsWith(' step-up'))
  const operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
  const answers: [string, number, string][] = []
  for (const line of guarded) {
    const [method = '', path = '', access = ''] = line.split(' ')
    const name = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
    const operation = operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(`${name} is not documented`)
    const verb = method.toLowerCase() as 'post' | 'put' | 'delete'
    const token = access.startsWith('seller') ? tokens.seller : tokens.admin
    const options = { token, body: exampleBody(operation), headers: neededHeaders(operation) }
    const { status, body } = await app.api[verb](missingPath(operation), options)
    answers.push([name, status, body.code])
  }
  expect(answers.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'PUT /api/v1/integrations/credentials',
      'POST /api/v1/withdrawals',
      'POST /api/v1/users',
      'DELETE /api/v1/users/{id}',
      'PUT /api/v1/team/{userId}',
      'PUT /api/v1/admin/members/{id}',
      'DELETE /api/v1/admin/users/{id}/totp',
    ]),
  )
  expect(answers).toEqual(answers.map(([name]) => [name, 403, 'auth.step_up_required']))
})
