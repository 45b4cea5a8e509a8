import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { codeOf, enrol, letTimePass } from '../support/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.0/8' })
})
afterAll(() => app.close())

const OWNER = '198.51.100.7'
const GUESSER = '203.0.113.66'
const OFTEN = 11

type From = { address: string; cookie?: string | undefined }
type Login = { email: string; password: string; totpCode?: string; recoveryCode?: string }

const headersOf = ({ address, cookie }: From) => ({ 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) })

const login = ({ email, password, totpCode, recoveryCode }: Login, from: From): Promise<Answer> =>
  app.api.post('auth/login', { body: { email, password, totpCode, recoveryCode }, headers: headersOf(from) })

const guess = ({ email }: Seller, from: From) => login({ email, password: 'a wrong guess' }, from)

const often = async (call: () => Promise<Answer>, times = OFTEN): Promise<Answer> => {
  let answer = await call()
  for (let count = 1; count < times; count += 1) answer = await call()
  return answer
}

const deviceCookie = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

/** As if every wait that runs now had ended. */
const waitOut = () => app.sql.query("update login_failures set locked_until = now() - interval '1 ms'")

const wrongCode = (secret: string): string => {
  const good = [-1, 0, 1, 2].map((ahead) => codeOf(secret, ahead))
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !good.includes(code)) ?? ''
}

test('200: whoever guesses is kept waiting, and the owner logs in from elsewhere', async () => {
  const seller = await registerSeller(app)
  expect((await often(() => guess(seller, { address: GUESSER }))).status).toBe(429)
  expect((await login(seller, { address: OWNER })).status).toBe(200)
  expect((await login(seller, { address: GUESSER })).body.code).toBe('auth.account_locked')
})

test('429: guesses from one /64 of an IPv6 network after the other are those of one guesser', async () => {
  const seller = await registerSeller(app)
  const statuses: number[] = []
  for (let index = 0; index < OFTEN; index += 1) {
    statuses.push((await guess(seller, { address: `2001:db8:7:${index.toString(16)}::1` })).status)
  }
  expect(statuses).toEqual([...Array(OFTEN - 1).fill(401), 429])
  expect((await login(seller, { address: '2001:db8:8::1' })).status).toBe(200)
})

test('200: guesses at a client id keep no server of the seller out', async () => {
  const { token } = await registerSeller(app)
  const { clientId, clientSecret } = (
    await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
  ).body
  const ask = (secret: string, address: string) =>
    app.api.post('integrations/login', {
      body: { client_id: clientId, client_secret: secret },
      headers: headersOf({ address }),
    })
  expect((await often(() => ask('sk_wrong', GUESSER))).status).toBe(429)
  expect((await ask(clientSecret, OWNER)).status).toBe(200)
})

test('200: a name that is an e-mail address and a client id at once has two counts', async () => {
  const seller = await registerSeller(app)
  const body = { client_id: seller.email, client_secret: 'sk_wrong' }
  const headers = headersOf({ address: GUESSER })
  expect((await often(() => app.api.post('integrations/login', { body, headers }))).status).toBe(429)
  expect((await login(seller, { address: GUESSER })).status).toBe(200)
})

test('200: a browser that was logged in before is not kept waiting for others at its address', async () => {
  const seller = await registerSeller(app)
  const first = await login(seller, { address: OWNER })
  expect(first.headers.get('set-cookie')).toMatch(/^device=.+; HttpOnly; SameSite=Strict/)
  const cookie = deviceCookie(first)
  expect((await often(() => guess(seller, { address: OWNER }))).status).toBe(429)
  expect((await login(seller, { address: OWNER })).status).toBe(429)
  expect((await login(seller, { address: OWNER, cookie })).status).toBe(200)
})

test('429: a known browser guesses no more than a stranger, and for no other account', async () => {
  const [seller, other] = [await registerSeller(app), await registerSeller(app)]
  const cookie = deviceCookie(await login(seller, { address: OWNER }))
  expect((await often(() => guess(seller, { address: OWNER, cookie }))).status).toBe(429)
  const next = '198.51.100.8'
  await often(() => guess(other, { address: next }))
  expect((await login(other, { address: next, cookie })).status).toBe(429)
  const forged = `${cookie.slice(0, -1)}${cookie.endsWith('0') ? '1' : '0'}`
  expect((await often(() => guess(seller, { address: next, cookie: forged }))).status).toBe(429)
})

test('429: each wait is twice the one before, up to a day', async () => {
  const seller = await registerSeller(app)
  const waits: number[] = []
  await often(() => guess(seller, { address: GUESSER }), 10)
  for (let round = 0; round < 9; round += 1) {
    waits.push(Math.ceil(Number((await guess(seller, { address: GUESSER })).headers.get('retry-after')) / 60))
    await waitOut()
    expect((await guess(seller, { address: GUESSER })).status).toBe(401)
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1_440, 1_440])
})

test('429: guessed codes of a second factor are counted over all addresses, and a new password forgets none', async () => {
  const seller = await registerSeller(app)
  const { secret } = await enrol(app, seller)
  await letTimePass(app, seller.id)
  const totpCode = wrongCode(secret)
  for (let index = 0; index < 10; index += 1) {
    const answer = await login({ ...seller, totpCode }, { address: `203.0.113.${index}` })
    expect(answer.body.code).toBe('auth.totp_invalid')
  }
  const body = { currentPassword: seller.password, newPassword: 'outro café com leite e canela' }
  expect((await app.api.put(`users/${seller.id}/password`, { token: seller.token, body })).status).toBe(204)
  const changed = { ...seller, password: body.newPassword }
  const refused = await login({ ...changed, totpCode }, { address: '203.0.113.99' })
  expect([refused.status, refused.body.code]).toEqual([429, 'auth.account_locked'])
})

test('whoever has the password guessed is told by mail when the codes are, once for each wait', async () => {
  const seller = await registerSeller(app)
  const { secret } = await enrol(app, seller)
  await letTimePass(app, seller.id)
  const told = async () => {
    const { rows } = await app.sql.query(
      "select data from mails where kind = 'second_factor_guessed' and recipient_user_id = $1",
      [seller.id],
    )
    return rows.map(({ data }) => data.ipAddress)
  }
  const totpCode = wrongCode(secret)
  const tries = (count: number, from: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        login({ ...seller, totpCode }, { address: `203.0.113.${from + index}` }),
      ),
    )
  await tries(9, 0)
  expect(await told()).toEqual([])
  await tries(6, 20)
  expect(await told()).toEqual([expect.stringMatching(/^203\.0\.113\.2\d$/)])
  await waitOut()
  await tries(1, 40)
  expect(await told()).toHaveLength(2)
})

test('200: while others guess codes, the owner gets in by a known browser, or by a recovery code', async () => {
  const seller = await registerSeller(app)
  const { secret, recoveryCodes } = await enrol(app, seller)
  await letTimePass(app, seller.id)
  const first = await login({ ...seller, totpCode: codeOf(secret) }, { address: OWNER })
  const cookie = deviceCookie(first)
  const totpCode = wrongCode(secret)
  for (let index = 0; index < OFTEN; index += 1) await login({ ...seller, totpCode }, { address: `203.0.113.${index}` })
  await letTimePass(app, seller.id)
  const good = codeOf(secret)
  expect((await login({ ...seller, totpCode: good }, { address: '192.0.2.4' })).status).toBe(429)
  expect((await login({ ...seller, totpCode: good }, { address: OWNER, cookie })).status).toBe(200)
  const [recoveryCode = ''] = recoveryCodes
  expect((await login({ ...seller, recoveryCode }, { address: '192.0.2.5' })).status).toBe(200)
})

test('recovery codes have more than 112 random bits, so that their hash needs no salt', async () => {
  const seller = await registerSeller(app)
  const { recoveryCodes } = await enrol(app, seller)
  for (const code of recoveryCodes) expect(code.replaceAll('-', '').length * 5).toBeGreaterThanOrEqual(112)
})

test('a stolen session that guesses the password or codes keeps nobody else out', async () => {
  const seller = await registerSeller(app)
  const body = { currentPassword: 'a wrong guess', newPassword: 'outro café com leite e canela' }
  const change = () => app.api.put(`users/${seller.id}/password`, { token: seller.token, body })
  expect((await often(change)).body.code).toBe('auth.account_locked')
  expect((await login(seller, { address: OWNER })).status).toBe(200)
})
