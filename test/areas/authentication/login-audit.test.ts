import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(() => app.close())

const NOBODY = '00000000-0000-0000-0000-000000000000'
const REFUSED = 'session.refuse_guesser'

const login = (email: string, password: string) => app.api.post('auth/login', { body: { email, password } })
const guess = (email: string, times = 1) =>
  Promise.all(Array.from({ length: times }, () => login(email, 'wrong password')))
const endWaits = () =>
  app.sql.query("update login_failures set locked_until = now() - interval '1 ms' where locked_until is not null")
const entries = async (query: string) =>
  (await app.api.get(`admin/audit-log?${query}`, { token: admin })).body.data as Record<string, unknown>[]

test('a log-in leaves one entry, which names its session; one that fails leaves none', async () => {
  const { id, email, password } = await registerSeller(app)
  expect((await login(email, 'wrong password')).status).toBe(401)
  const { sid } = claimsOf((await login(email, password)).body.tokens.accessToken)
  expect(await entries(`actorId=${id}`)).toMatchObject([
    { action: 'session.open', targetType: 'session', targetId: sid, actorRole: 'seller', sellerId: id },
  ])
  expect(await entries(`targetId=${id}&action=${REFUSED}`)).toEqual([])
})

test('who guesses leaves an entry when they first have to wait, and one for each time that it doubles', async () => {
  const { id, email } = await registerSeller(app)
  const seen = async () => (await entries(`targetId=${id}&action=${REFUSED}`)).length
  await guess(email, 9)
  expect(await seen()).toBe(0)
  await guess(email, 4)
  expect(await seen()).toBe(1)
  await endWaits()
  await guess(email, 3)
  const found = await entries(`sellerId=${id}&action=${REFUSED}`)
  expect(found).toHaveLength(2)
  expect(found[0]).toMatchObject({ actorId: NOBODY, actorRole: 'nobody', targetId: id })
  expect(found[0]?.after).toEqual({ email: `${email[0]}***@example.com`, guessedAt: 'password' })
})

test('an address that nobody has is masked in the entry', async () => {
  const email = `q-${newEmail()}`
  await guess(email, 12)
  const found = await entries(`targetId=${NOBODY}&action=${REFUSED}`)
  expect(found).toMatchObject([{ sellerId: null, after: { email: 'q***@example.com', guessedAt: 'password' } }])
  expect(JSON.stringify(found)).not.toContain(email)
})
