import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const USUAL = {
  language: 'pt',
  mails: { company: true, withdrawals: true, disputes: true, dailyDigest: true },
  payerReceipts: false,
}
const CHOSEN = {
  language: 'en',
  mails: { company: true, withdrawals: false, disputes: true, dailyDigest: false },
  payerReceipts: true,
}

const get = (id: string, token?: string) => app.api.get(`users/${id}/notifications`, { token })
const put = (id: string, token: string | undefined, body: unknown) =>
  app.api.put(`users/${id}/notifications`, { token, body })

test('200: whoever never chose gets all mails, in Portuguese, and sends no receipts', async () => {
  const { id, token } = await registerSeller(app)
  expect(await get(id, token)).toMatchObject({ status: 200, body: USUAL })
})

test('200: what one chooses is kept and answered, and can be taken back', async () => {
  const { id, token } = await registerSeller(app)
  expect(await put(id, token, CHOSEN)).toMatchObject({ status: 200, body: CHOSEN })
  expect((await get(id, token)).body).toEqual(CHOSEN)
  expect(await put(id, token, USUAL)).toMatchObject({ status: 200, body: USUAL })
  expect((await get(id, token)).body).toEqual(USUAL)
  const { rows } = await app.sql.query('select action, after from audit_log where target_id = $1 order by id', [id])
  expect(rows).toEqual([CHOSEN, USUAL].map((after) => ({ action: 'user.update_notifications', after })))
})

test('200: administrators choose for themselves', async () => {
  const token = await adminToken(app)
  const { rows } = await app.sql.query<{ id: string }>("select id from users where role = 'admin'")
  const id = rows[0]?.id ?? ''
  expect(await put(id, token, { ...USUAL, language: 'en' })).toMatchObject({ status: 200, body: { language: 'en' } })
})

test('412: of two changes that saw the same choice the second is not made', async () => {
  const { id, token } = await registerSeller(app)
  const etag = (await get(id, token)).headers.get('etag') ?? ''
  const change = (body: unknown) =>
    app.api.put(`users/${id}/notifications`, { token, body, headers: { 'if-match': etag } })
  expect((await change(CHOSEN)).status).toBe(200)
  expect(await change(USUAL)).toMatchObject({ status: 412, body: { code: 'precondition.failed' } })
  expect((await get(id, token)).body).toEqual(CHOSEN)
})

test('400: what is no choice is named, all faults at once', async () => {
  const { id, token } = await registerSeller(app)
  const { mails: _mails, ...withoutMails } = USUAL
  expect((await put(id, token, withoutMails)).body.errors).toMatchObject([{ in: 'body', path: 'mails' }])
  const wrong = { ...USUAL, language: 'de', mails: { ...USUAL.mails, company: 'yes' } }
  const { status, body } = await put(id, token, wrong)
  expect([status, body.errors.map(({ path }: { path: string }) => path).sort()]).toEqual([
    400,
    ['language', 'mails.company'],
  ])
  // Security is no topic: there is nothing to turn off.
  expect((await put(id, token, { ...USUAL, mails: { ...USUAL.mails, security: false } })).status).toBe(400)
  expect((await get(id, token)).body).toEqual(USUAL)
})

test('404: what somebody else gets looks like nobody’s, for administrators too', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const admin = await adminToken(app)
  for (const id of [other.id, randomUUID()]) {
    for (const token of [one.token, admin]) {
      expect(await get(id, token)).toMatchObject({ status: 404, body: { code: 'user.not_found' } })
      expect(await put(id, token, CHOSEN)).toMatchObject({ status: 404, body: { code: 'user.not_found' } })
    }
  }
  expect((await get(other.id, other.token)).body).toEqual(USUAL)
})

test('401 and 403: without a token, and with one of API credentials', async () => {
  const { id, token } = await registerSeller(app)
  expect((await get(id)).body.code).toBe('auth.token_missing')
  expect((await put(id, undefined, CHOSEN)).body.code).toBe('auth.token_missing')
  const { body: credentials } = await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
  const { clientId, clientSecret } = credentials
  const { body: login } = await app.api.post('integrations/login', {
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
  })
  expect((await get(id, login.access_token)).status).toBe(403)
  expect((await put(id, login.access_token, CHOSEN)).status).toBe(403)
})

test('what somebody chose is forgotten with their account', async () => {
  const { id, token } = await registerSeller(app)
  await put(id, token, CHOSEN)
  expect((await app.api.delete(`users/${id}`, { token })).status).toBe(204)
  expect((await app.sql.query('select from mail_preferences where user_id = $1', [id])).rowCount).toBe(0)
})
