import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, approvedSeller, newEmail, registerSeller, type Seller } from '../../support/factories.ts'
import { mailsTo, tokenOf } from '../../support/mailbox.ts'
import { forgetMails, mailRows, sendAll } from '../../support/mails.ts'
import { earn, request } from '../../support/withdrawals.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(() => forgetMails(app))
afterAll(() => app.close())

const PERSON = { password: 'dois cafés e um pão na chapa', name: 'Maria da Silva', companyName: 'Padaria da Maria' }
const verify = (token: string) => app.api.post('auth/email/verify', { body: { token } })
const login = (email: string, password: string) => app.api.post('auth/login', { body: { email, password } })
const ask = ({ id, token }: Pick<Seller, 'id' | 'token'>, email: string) =>
  app.api.put(`users/${id}/email`, { token, body: { email } })
const INVALID = { status: 400, body: { code: 'auth.token_invalid' } }

const linkOf = async (email: string, page: 'verify-email' | 'confirm-email'): Promise<string> => {
  await sendAll(app.services.jobs.sendMails)
  const token = (await mailsTo(app.config.dataDir, email)).map((mail) => tokenOf(mail, page)).findLast(Boolean)
  if (token === undefined) throw new Error(`no link came to ${email}`)
  return token
}

const register = async () => {
  const email = newEmail()
  const { body } = await app.api.post('auth/register', { body: { email, ...PERSON } })
  return { id: body.user.id as string, email, token: body.tokens.accessToken as string, user: body.user }
}

test('204: who registers gets a link that verifies the address, once', async () => {
  const { id, email, token, user } = await register()
  expect(user.emailVerifiedAt).toBeNull()
  const link = await linkOf(email, 'verify-email')
  expect(await verify(link)).toMatchObject({ status: 204, text: '' })
  expect((await app.api.get(`users/${id}`, { token })).body.emailVerifiedAt).toMatch(/^20.*Z$/)
  expect(await verify(link)).toMatchObject(INVALID)
  const { rows } = await app.sql.query('select action from audit_log where target_id = $1', [id])
  expect(rows).toEqual([{ action: 'user.verify_email' }])
})

test('403 and 201: money leaves only accounts with a verified address', async () => {
  const seller = await approvedSeller(app)
  await earn(app, seller.id, 50_000)
  await app.sql.query('update users set email_verified_at = null where id = $1', [seller.id])
  expect(await request(app, seller)).toMatchObject({ status: 403, body: { code: 'user.email_unverified' } })
  expect((await app.api.get('balance', { token: seller.token })).body.availableAmount).toBe(50_000)
  expect((await ask(seller, seller.email)).status).toBe(202)
  await verify(await linkOf(seller.email, 'verify-email'))
  expect((await request(app, seller)).status).toBe(201)
})

test('who an administrator makes verifies the address too; the first administrator need not', async () => {
  const email = newEmail()
  const body = { email, ...PERSON, role: 'seller' }
  const made = await app.api.post('users', { token: await adminToken(app), body })
  expect(made.body.emailVerifiedAt).toBeNull()
  expect((await verify(await linkOf(email, 'verify-email'))).status).toBe(204)
  const { body: first } = await app.api.post('auth/login', { body: app.config.admin })
  expect(first.user.emailVerifiedAt).toMatch(/^20/)
})

test('202: a new address logs in once it is confirmed, and the old one is told', async () => {
  const seller = await registerSeller(app)
  const changed = newEmail()
  expect(await ask(seller, changed.toUpperCase())).toMatchObject({ status: 202, text: '' })
  expect((await login(changed, seller.password)).status).toBe(401)
  expect((await app.api.get(`users/${seller.id}`, { token: seller.token })).body.email).toBe(seller.email)
  expect((await verify(await linkOf(changed, 'confirm-email'))).status).toBe(204)
  expect((await login(seller.email, seller.password)).status).toBe(401)
  expect(await login(changed, seller.password)).toMatchObject({ status: 200, body: { user: { email: changed } } })
  await sendAll(app.services.jobs.sendMails)
  const told = await mailsTo(app.config.dataDir, seller.email)
  expect(told.at(-1)?.subject).toBe('O e-mail da sua conta foi alterado')
  // Whoever reads the old address need not learn the new one.
  expect(told.at(-1)?.text).not.toContain(changed)
  const { rows } = await app.sql.query('select action, before, after from audit_log where target_id = $1 order by id', [
    seller.id,
  ])
  expect(rows).toEqual([
    { action: 'user.ask_for_email', before: null, after: { askedEmail: 's***@example.com' } },
    { action: 'user.change_email', before: { email: 's***@example.com' }, after: { email: 's***@example.com' } },
  ])
})

test('200: PUT /users/{id} with another address asks for the same confirmation', async () => {
  const seller = await registerSeller(app)
  const changed = newEmail()
  const body = { name: 'Maria Souza', companyName: 'Padaria Souza', email: changed }
  const answer = await app.api.put(`users/${seller.id}`, { token: seller.token, body })
  expect(answer).toMatchObject({ status: 200, body: { name: 'Maria Souza', email: seller.email } })
  expect((await verify(await linkOf(changed, 'confirm-email'))).status).toBe(204)
  expect((await login(changed, seller.password)).status).toBe(200)
})

test('202 and 409: an address that another account has is not told when it is asked for, and not taken', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  expect(await ask(one, other.email)).toMatchObject({ status: 202, text: '' })
  const link = await linkOf(other.email, 'confirm-email')
  expect(await verify(link)).toMatchObject({ status: 409, body: { code: 'user.email_taken' } })
  expect((await login(other.email, other.password)).body.user.id).toBe(other.id)
  expect((await login(one.email, one.password)).body.user.id).toBe(one.id)
})

test('204 and 409: of two who ask for the same address the first to confirm gets it', async () => {
  const sellers = [await registerSeller(app), await registerSeller(app)]
  const changed = newEmail()
  const links: string[] = []
  for (const seller of sellers) {
    await ask(seller, changed)
    links.push(await linkOf(changed, 'confirm-email'))
  }
  const answers = await Promise.all(links.map(verify))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
})

test('a change ends what was sent before it: links for the old address and for others that were asked for', async () => {
  const seller = await registerSeller(app)
  const [first, second] = [newEmail(), newEmail()]
  await app.api.post('auth/password/forgot', { body: { email: seller.email } })
  await ask(seller, first)
  const unwanted = await linkOf(first, 'confirm-email')
  await ask(seller, second)
  expect((await verify(await linkOf(second, 'confirm-email'))).status).toBe(204)
  expect(await verify(unwanted)).toMatchObject(INVALID)
  const { rowCount } = await app.sql.query('select from link_tokens where email = $1', [seller.email])
  expect(rowCount).toBe(0)
})

test('202: nothing is sent to an address that is verified already', async () => {
  const seller = await registerSeller(app)
  await forgetMails(app)
  expect((await ask(seller, seller.email)).status).toBe(202)
  expect(await mailRows(app)).toEqual([])
})

test('400: what is no address, and what is no token', async () => {
  const seller = await registerSeller(app)
  expect(await ask(seller, 'nobody')).toMatchObject({ status: 400, body: { errors: [{ in: 'body', path: 'email' }] } })
  expect(await verify(randomUUID())).toMatchObject(INVALID)
  expect((await verify('')).body.code).toBe('validation.failed')
})

test('401, 403 and 404: without a token, with one of API credentials, and for somebody else', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const body = { email: newEmail() }
  expect((await app.api.put(`users/${one.id}/email`, { body })).body.code).toBe('auth.token_missing')
  expect(await ask({ id: other.id, token: one.token }, body.email)).toMatchObject({
    status: 404,
    body: { code: 'user.not_found' },
  })
  expect((await ask({ id: one.id, token: await adminToken(app) }, body.email)).status).toBe(404)
  const { body: secret } = await app.api.put('integrations/credentials', {
    token: one.token,
    body: { rotateSecret: true },
  })
  const credentials = {
    client_id: secret.clientId,
    client_secret: secret.clientSecret,
    grant_type: 'client_credentials',
  }
  const { body: server } = await app.api.post('integrations/login', { body: credentials })
  expect((await ask({ id: one.id, token: server.access_token }, body.email)).status).toBe(403)
})
