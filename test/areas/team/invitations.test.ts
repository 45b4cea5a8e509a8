import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller, type Seller } from '../../support/factories.ts'
import { invitationToken, joinTeam } from '../../support/team.ts'

let app: TestApp
let seller: Seller
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  admin = await adminToken(app)
})

afterAll(() => app.close())

const PASSWORD = 'um pastel de palmito e caldo de cana'

const invite = (token: string, email: string, headers: Record<string, string> = {}) =>
  app.api.post('team/invitations', { token, headers, body: { email, name: 'João Souza', role: 'finance' } })

const accept = (token: string, password = PASSWORD) =>
  app.api.post('auth/invitations/accept', { body: { token, name: 'João S. Souza', password } })

test('201: whoever is invited is in the team as such, joins by the mail, and is logged in with the role', async () => {
  const email = newEmail()
  const invited = await invite(seller.token, email)
  expect(invited).toMatchObject({
    status: 201,
    body: { email, name: 'João Souza', role: 'finance', status: 'invited' },
  })
  const { body } = await app.api.get('team', { token: seller.token })
  expect(body.data[0]).toEqual(invited.body)
  const joined = await accept(await invitationToken(app, email))
  expect(joined).toMatchObject({
    status: 200,
    body: { user: { email, name: 'João S. Souza', role: 'seller', sellerId: seller.id, accessRole: 'finance' } },
  })
  expect(joined.headers.get('cache-control')).toBe('no-store')
  const { accessToken: token } = joined.body.tokens
  expect((await app.api.get('balance', { token })).body.sellerId).toBe(seller.id)
  expect((await app.api.get('team', { token })).status).toBe(403)
  const team = await app.api.get('team', { token: seller.token })
  expect(team.body.data.map(({ status }: { status: string }) => status)).toEqual(['active', 'active'])
  expect((await app.api.post('auth/login', { body: { email, password: PASSWORD } })).status).toBe(200)
})

test('200: an administrator joins with the role that an owner gave', async () => {
  const email = newEmail()
  const body = { email, name: 'Ana Lima', adminRole: 'risk' }
  const invited = await app.api.post('admin/members/invitations', { token: admin, body })
  expect(invited).toMatchObject({ status: 201, body })
  const joined = await accept(await invitationToken(app, email))
  expect(joined.body.user).toMatchObject({ role: 'admin', sellerId: null, accessRole: 'risk' })
  const member = await app.api.get(`admin/members/${joined.body.user.id}`, { token: admin })
  expect(member.body.adminRole).toBe('risk')
})

test('400: an invitation is good once, also for two at the same moment', async () => {
  const email = newEmail()
  await invite(seller.token, email)
  const token = await invitationToken(app, email)
  const answers = await Promise.all([accept(token), accept(token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await accept(token)).toMatchObject({ status: 400, body: { code: 'team.invitation_invalid' } })
})

test('400: one that was replaced, withdrawn or has expired joins nobody', async () => {
  const [replaced, withdrawn, expired] = [newEmail(), newEmail(), newEmail()]
  await invite(seller.token, replaced)
  const first = await invitationToken(app, replaced)
  await invite(seller.token, replaced)
  const { body } = await invite(seller.token, withdrawn)
  expect((await app.api.delete(`team/${body.id}`, { token: seller.token })).status).toBe(204)
  await invite(seller.token, expired)
  await app.sql.query("update invitations set expires_at = now() - interval '1 second' where email = $1", [expired])
  const tokens = [first, await invitationToken(app, withdrawn), await invitationToken(app, expired)]
  for (const token of tokens) expect((await accept(token)).status).toBe(400)
  expect((await accept(await invitationToken(app, replaced))).status).toBe(200)
})

test('an administrator’s invitation is withdrawn too, and by nobody else', async () => {
  const email = newEmail()
  const body = { email, name: 'Ana Lima', adminRole: 'viewer' }
  const { id } = (await app.api.post('admin/members/invitations', { token: admin, body })).body
  expect((await app.api.delete(`team/${id}`, { token: seller.token })).status).toBe(404)
  expect((await app.api.delete(`admin/members/${id}`, { token: admin })).status).toBe(204)
  expect((await accept(await invitationToken(app, email))).status).toBe(400)
})

test('an address that somebody has is invited word for word like one that nobody has', async () => {
  const [known, unknown] = [(await registerSeller(app)).email, newEmail()]
  const answers = [await invite(seller.token, known), await invite(seller.token, unknown)]
  const same = answers.map(({ status, body }) => ({ status, body: { ...body, id: '', email: '', createdAt: '' } }))
  expect(same[0]).toEqual(same[1])
  expect(await accept(await invitationToken(app, known))).toMatchObject({
    status: 409,
    body: { code: 'user.email_taken' },
  })
})

test('400: a password that guessers try first, or that is the address', async () => {
  const email = newEmail()
  await invite(seller.token, email)
  const token = await invitationToken(app, email)
  expect((await accept(token, 'password1')).status).toBe(400)
  expect((await accept(token, email)).body.errors[0]).toMatchObject({ path: 'password', code: 'password_common' })
  expect((await accept(token)).status).toBe(200)
})

test('201: the repeat of a key invites nobody again', async () => {
  const email = newEmail()
  const key = { 'idempotency-key': 'invite-1' }
  const [first, second] = [await invite(seller.token, email, key), await invite(seller.token, email, key)]
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  const { rows } = await app.sql.query('select count(*)::int as mails from mails where recipient_address = $1', [email])
  expect(rows).toEqual([{ mails: 1 }])
})

test('the token stands in no table but sealed, and in no answer', async () => {
  const email = newEmail()
  const answer = await invite(seller.token, email)
  const token = await invitationToken(app, email)
  const { rows } = await app.sql.query(
    'select (select json_agg(i) from invitations i)::text || (select json_agg(m) from mails m)::text as kept',
  )
  expect(rows[0].kept).not.toContain(token)
  expect(answer.text).not.toContain(token)
})

test('403: only owners invite', async () => {
  const { token } = await joinTeam(app, seller, 'finance')
  expect((await invite(token, newEmail())).status).toBe(403)
})

test('400: an invitation to an account that ended meanwhile', async () => {
  const ending = await registerSeller(app)
  const email = newEmail()
  await invite(ending.token, email)
  const token = await invitationToken(app, email)
  expect((await app.api.delete(`users/${ending.id}`, { token: ending.token })).status).toBe(204)
  expect((await accept(token)).status).toBe(400)
})
