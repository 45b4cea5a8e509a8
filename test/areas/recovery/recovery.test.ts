import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller } from '../../support/factories.ts'
import { mailsTo, tokenOf } from '../../support/mailbox.ts'
import { forgetMails, mailRows, sendAll } from '../../support/mails.ts'
import { recordStatements } from '../../support/statements.ts'
import { codeOf, enrol } from '../../support/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(() => forgetMails(app))
afterAll(() => app.close())

const NEW = 'outro café com leite'
const forgot = (email: string) => app.api.post('auth/password/forgot', { body: { email } })
const reset = (token: string, password = NEW) => app.api.post('auth/password/reset', { body: { token, password } })
const login = (email: string, password: string) => app.api.post('auth/login', { body: { email, password } })
const INVALID = { status: 400, body: { code: 'auth.token_invalid' } }

/** The token of the newest link that an address got by mail. */
const linkOf = async (email: string, page = 'reset-password'): Promise<string> => {
  await sendAll(app.services.jobs.sendMails)
  const token = (await mailsTo(app.config.dataDir, email)).map((mail) => tokenOf(mail, page)).findLast(Boolean)
  if (token === undefined) throw new Error(`no link came to ${email}`)
  return token
}

const letLinksExpire = () =>
  app.sql.query(
    "update link_tokens set expires_at = expires_at - interval '2 hours', created_at = created_at - interval '2 hours'",
  )

test('202 and 204: the link of the mail sets a new password, once', async () => {
  const { email, password } = await registerSeller(app)
  expect(await forgot(` ${email.toUpperCase()} `)).toMatchObject({ status: 202, text: '' })
  const token = await linkOf(email)
  expect(await reset(token)).toMatchObject({ status: 204, text: '' })
  expect((await login(email, password)).status).toBe(401)
  expect((await login(email, NEW)).status).toBe(200)
  expect(await reset(token, 'um terceiro café')).toMatchObject(INVALID)
  expect((await login(email, NEW)).status).toBe(200)
})

test('204: all sessions end at once, those of API credentials too', async () => {
  const seller = await registerSeller(app)
  const own = (token: string) => app.api.get(`users/${seller.id}`, { token })
  const { body: secret } = await app.api.put('integrations/credentials', {
    token: seller.token,
    body: { rotateSecret: true },
  })
  const credentials = {
    client_id: secret.clientId,
    client_secret: secret.clientSecret,
    grant_type: 'client_credentials',
  }
  const { body: server } = await app.api.post('integrations/login', { body: credentials })
  const balance = () => app.api.get('balance', { token: server.access_token })
  expect([(await own(seller.token)).status, (await balance()).status]).toEqual([200, 200])
  await forgot(seller.email)
  expect((await reset(await linkOf(seller.email))).status).toBe(204)
  expect((await own(seller.token)).body.code).toBe('auth.token_invalid')
  expect((await balance()).body.code).toBe('auth.token_invalid')
  expect((await app.api.post('auth/refresh', { body: { refreshToken: seller.refreshToken } })).status).toBe(401)
})

test('204: of two who use a link at the same moment one does', async () => {
  const { email } = await registerSeller(app)
  await forgot(email)
  const token = await linkOf(email)
  const answers = await Promise.all(
    ['um café preto e pão', 'dois cafés pretos', 'três cafés'].map((p) => reset(token, p)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400])
})

test('204: every other link of the account ends, and who did it is told and noted', async () => {
  const { id, email } = await registerSeller(app)
  await forgot(email)
  const first = await linkOf(email)
  await forgot(email)
  expect((await reset(await linkOf(email))).status).toBe(204)
  expect(await reset(first)).toMatchObject(INVALID)
  const told = (await mailRows(app)).filter(({ kind }) => kind === 'password_changed')
  expect(told).toHaveLength(1)
  const { rows } = await app.sql.query('select action, actor_id, before, after from audit_log where target_id = $1', [
    id,
  ])
  expect(rows).toEqual([{ action: 'user.reset_own_password', actor_id: id, before: null, after: null }])
})

test('204: a lock after wrong guesses opens, and a second factor stays', async () => {
  const seller = await registerSeller(app)
  const { secret } = await enrol(app, seller)
  for (let guess = 0; guess < 11; guess += 1) await login(seller.email, 'not this one')
  expect((await login(seller.email, seller.password)).status).toBe(429)
  await forgot(seller.email)
  await reset(await linkOf(seller.email))
  expect((await login(seller.email, NEW)).body.code).toBe('auth.totp_required')
  await app.sql.query('update totp_secrets set last_step = last_step - 10 where user_id = $1', [seller.id])
  const body = { email: seller.email, password: NEW, totpCode: codeOf(secret) }
  expect((await app.api.post('auth/login', { body })).status).toBe(200)
})

test('204: administrators recover in the same way', async () => {
  const admin = await adminToken(app)
  const email = newEmail()
  const body = { email, password: 'uma senha bem longa', name: 'Ana', companyName: 'Plataforma', role: 'admin' }
  expect((await app.api.post('users', { token: admin, body })).status).toBe(201)
  await forgot(email)
  expect((await reset(await linkOf(email))).status).toBe(204)
  expect((await login(email, NEW)).status).toBe(200)
})

test('204: who reads mails at an address has verified it', async () => {
  const { id, email } = await registerSeller(app)
  await app.sql.query('update users set email_verified_at = null where id = $1', [id])
  await forgot(email)
  await reset(await linkOf(email))
  expect((await login(email, NEW)).body.user.emailVerifiedAt).toMatch(/^20/)
})

test('202: an unknown address gets the same answer for the same work, and no mail', async () => {
  const known = await registerSeller(app)
  const unknown = newEmail()
  const work = async (email: string) => {
    const { result, statements } = await recordStatements(app.sql, () => forgot(email))
    const { 'x-request-id': _id, date: _date, ratelimit: _left, ...headers } = Object.fromEntries(result.headers)
    // A timer exchanges the rate limits once a second, whoever asks for what.
    const own = statements.filter((text) => !text.includes('rate_limits'))
    return { statements: own, status: result.status, text: result.text, headers }
  }
  const ofKnown = await work(known.email)
  expect(await work(unknown)).toEqual(ofKnown)
  // Nothing is asked of the users: what is not looked up cannot take another time.
  expect(ofKnown.statements.length).toBeGreaterThan(3)
  expect(ofKnown.statements.filter((text) => /users|sessions/.test(text))).toEqual([])
  const size = async (email: string) => {
    const { rows } = await app.sql.query(
      `select length(data::text) + length(secret_sealed) as size from mails where recipient_address = $1 and kind = 'password_recovery'`,
      [email],
    )
    return rows
  }
  expect(await size(unknown)).toEqual(await size(known.email))
  await sendAll(app.services.jobs.sendMails)
  expect(await mailsTo(app.config.dataDir, unknown)).toEqual([])
  expect((await mailsTo(app.config.dataDir, known.email)).length).toBeGreaterThan(0)
  const { rows } = await app.sql.query("select status, reason from mails where kind = 'password_recovery' order by id")
  expect(rows).toEqual([
    { status: 'sent', reason: null },
    { status: 'canceled', reason: 'no_recipient' },
  ])
})

test('202: an address gets at most five links an hour, whoever asks for them', async () => {
  const { email } = await registerSeller(app)
  for (let times = 0; times < 8; times += 1) expect((await forgot(email)).status).toBe(202)
  const asked = async () => (await mailRows(app)).filter(({ kind }) => kind === 'password_recovery').length
  expect(await asked()).toBe(5)
  await letLinksExpire()
  await forgot(email)
  expect(await asked()).toBe(6)
})

test('400: a link is good for an hour, and for nothing else', async () => {
  const { id, token, email } = await registerSeller(app)
  await forgot(email)
  const link = await linkOf(email)
  const { rows } = await app.sql.query(
    'select extract(epoch from expires_at - created_at)::int as seconds from link_tokens where email = $1 and user_id is null',
    [email],
  )
  expect(rows).toEqual([{ seconds: 3_600 }])
  expect(await app.api.post('auth/email/verify', { body: { token: link } })).toMatchObject(INVALID)
  await letLinksExpire()
  expect(await reset(link)).toMatchObject(INVALID)
  await app.api.put(`users/${id}/email`, { token, body: { email: newEmail() } })
  const [row] = (await app.sql.query("select email from link_tokens where purpose = 'change_email'")).rows
  expect(await reset(await linkOf(row.email, 'confirm-email'))).toMatchObject(INVALID)
})

test('400: no token, one that is none, and one of somebody who is gone', async () => {
  for (const token of ['', 'x'.repeat(201), 7]) {
    const { status, body } = await app.api.post('auth/password/reset', { body: { token, password: NEW } })
    expect([status, body.code]).toEqual([400, 'validation.failed'])
  }
  expect(await reset(randomUUID())).toMatchObject(INVALID)
  expect((await reset(randomUUID())).headers.get('www-authenticate')).toBeNull()
  const seller = await registerSeller(app)
  await forgot(seller.email)
  const link = await linkOf(seller.email)
  await app.api.delete(`users/${seller.id}`, { token: seller.token })
  expect(await reset(link)).toMatchObject(INVALID)
})

test('400: a new password that is short, common or the address, and the link stays good', async () => {
  const { email } = await registerSeller(app)
  await forgot(email)
  const link = await linkOf(email)
  for (const password of ['short', 'password', email]) {
    const { status, body } = await reset(link, password)
    expect([password, status, body.errors?.[0]?.path]).toEqual([password, 400, 'password'])
  }
  expect((await reset(link)).status).toBe(204)
})

test('a copy of the database opens nothing, and links that ended are forgotten', async () => {
  const { email } = await registerSeller(app)
  await forgot(email)
  const { rows } = await app.sql.query('select * from link_tokens where email = $1', [email])
  const mail = await app.sql.query("select * from mails where kind = 'password_recovery'")
  const link = await linkOf(email)
  expect(JSON.stringify([rows, mail.rows])).not.toContain(link)
  expect(await reset(rows[0].token_hash)).toMatchObject(INVALID)
  await letLinksExpire()
  await app.services.jobs.cleanUp.runOnce()
  expect((await app.sql.query('select from link_tokens')).rowCount).toBe(0)
})
