import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { claimsOf } from '../support/tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const put = (token: string, body: object) => app.api.put('integrations/credentials', { token, body })

const integrated = async () => {
  const seller = await registerSeller(app)
  const { clientId, clientSecret } = (await put(seller.token, { rotateSecret: true })).body
  return { seller, clientId, clientSecret }
}

const logIn = async (clientId: string, clientSecret: string) =>
  app.api.post('integrations/login', { body: { client_id: clientId, client_secret: clientSecret } })

const statusWith = async (token: string) => (await app.api.get('balance', { token })).status

/** The tokens of a log-in of this long ago, which nothing has been asked with since. */
const oldLogin = async ({ email, password }: Seller, minutes: number) => {
  const { tokens } = (await app.api.post('auth/login', { body: { email, password } })).body
  const { rowCount } = await app.sql.query(
    'update sessions set created_at = created_at - make_interval(mins => $2) where id = $1',
    [claimsOf(tokens.accessToken).sid, minutes],
  )
  expect(rowCount).toBe(1)
  return tokens
}

test('403: with a token from a log-in of more than ten minutes ago nobody changes the credentials', async () => {
  const { seller, clientId, clientSecret } = await integrated()
  const { accessToken } = await oldLogin(seller, 11)
  for (const body of [{ rotateSecret: true }, { revokeNow: true }, { allowedIps: [] }, { scopes: [] }]) {
    expect(await put(accessToken, body)).toMatchObject({ status: 403, body: { code: 'auth.step_up_required' } })
  }
  expect((await logIn(clientId, clientSecret)).status).toBe(200)
  const again = await app.api.post('auth/login', { body: { email: seller.email, password: seller.password } })
  expect((await put(again.body.tokens.accessToken, { rotateSecret: true })).status).toBe(200)
})

test('403: renewing tokens is no proof of who one is', async () => {
  const { seller } = await integrated()
  const { refreshToken } = await oldLogin(seller, 11)
  const { accessToken } = (await app.api.post('auth/refresh', { body: { refreshToken } })).body
  expect((await put(accessToken, { rotateSecret: true })).body.code).toBe('auth.step_up_required')
})

test('401: tokens end with the secret that made them', async () => {
  const { seller, clientId, clientSecret: first } = await integrated()
  const { access_token: ofFirst } = (await logIn(clientId, first)).body
  const { clientSecret: second } = (await put(seller.token, { rotateSecret: true })).body
  const { access_token: ofSecond } = (await logIn(clientId, second)).body
  expect([await statusWith(ofFirst), await statusWith(ofSecond)]).toEqual([200, 200])
  await put(seller.token, { rotateSecret: true })
  expect([await statusWith(ofFirst), await statusWith(ofSecond)]).toEqual([401, 200])
})

test('a token outlives the end of the secret before by no moment', async () => {
  const { seller, clientId, clientSecret } = await integrated()
  await put(seller.token, { rotateSecret: true })
  await app.sql.query(
    "update api_credentials set previous_secret_valid_until = now() + interval '1 minute' where seller_id = $1",
    [seller.id],
  )
  const { expires_in: seconds } = (await logIn(clientId, clientSecret)).body
  expect(seconds).toBeLessThanOrEqual(60)
  const { rows } = await app.sql.query(
    "select count(*)::int from sessions s join api_credentials c on c.seller_id = s.user_id and s.kind = 'credentials' where s.expires_at <= c.previous_secret_valid_until and c.seller_id = $1",
    [seller.id],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('401: revokeNow ends the secret before and its tokens at once, with a rotation or after it', async () => {
  for (const bodies of [[{ rotateSecret: true, revokeNow: true }], [{ rotateSecret: true }, { revokeNow: true }]]) {
    const { seller, clientId, clientSecret } = await integrated()
    const { access_token: token } = (await logIn(clientId, clientSecret)).body
    const [rotated, last = rotated] = [
      await put(seller.token, bodies[0] ?? {}),
      ...(bodies[1] ? [await put(seller.token, bodies[1])] : []),
    ]
    expect(last.body.previousSecretValidUntil).toBeNull()
    expect(await statusWith(token)).toBe(401)
    expect((await logIn(clientId, clientSecret)).status).toBe(401)
    expect((await logIn(clientId, rotated.body.clientSecret)).status).toBe(200)
  }
})

test('the seller hears of it: an event without the secret, for each rotation and revocation', async () => {
  const { seller, clientSecret } = await integrated()
  await put(seller.token, { scopes: ['balance:read'] })
  await put(seller.token, { revokeNow: true })
  const { data } = (await app.api.get('events?type=credentials.rotated', { token: seller.token })).body
  expect(data).toHaveLength(2)
  const { text } = await app.api.get(`events/${data[1].id}`, { token: seller.token })
  expect(JSON.parse(text).data).toMatchObject({ clientSecretLast4: clientSecret.slice(-4) })
  expect(text).not.toContain(clientSecret)
})
