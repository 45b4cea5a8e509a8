import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SELLER_ACCOUNTS } from '../../../src/domain/ledger.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { callBack, paidNotification } from '../../support/callbacks.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { createLink, payLink, postLinkPayment } from '../../support/payment-links.ts'
import { balancesOf, eventsOf, sellingSeller } from '../../support/payments.ts'
import { administratorWith, joinTeam } from '../../support/team.ts'
import { claimsOf } from '../../support/tokens.ts'
import { configure, earn, requested } from '../../support/withdrawals.ts'

let app: TestApp
let owner: string
let risk: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await adminToken(app)
  risk = (await administratorWith(app, owner, 'risk')).token
})
afterAll(() => app.close())

const REASON = { reason: 'Goods of this shop do not arrive.' }

const change = (verb: 'block' | 'unblock', id: string, token = risk) =>
  app.api.put(`admin/users/${id}/${verb}`, { token, body: REASON })

const logIn = ({ email, password }: Pick<Seller, 'email' | 'password'>) =>
  app.api.post('auth/login', { body: { email, password } })

const credentialsOf = async ({ token }: Seller) => {
  const { body } = await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })
  return { client_id: body.clientId, client_secret: body.clientSecret }
}

test('200: with who opened an account all of it is logged out at once, and stays out until it is unblocked', async () => {
  const seller = await registerSeller(app)
  const member = await joinTeam(app, seller, 'viewer')
  const credentials = await credentialsOf(seller)
  const server = (await app.api.post('integrations/login', { body: credentials })).body.access_token
  const statusOf = async (token: string) => (await app.api.get('balance', { token })).status
  expect([await statusOf(seller.token), await statusOf(member.token), await statusOf(server)]).toEqual([200, 200, 200])

  const blocked = await change('block', seller.id)
  expect(blocked.status).toBe(200)
  expect(blocked.body).toMatchObject({ id: seller.id, blockedAt: expect.any(String), blockReason: REASON.reason })
  expect([await statusOf(seller.token), await statusOf(member.token), await statusOf(server)]).toEqual([401, 401, 401])
  const { refreshToken } = seller
  expect((await app.api.post('auth/refresh', { body: { refreshToken } })).status).toBe(401)
  const refused = { status: 403, body: { code: 'auth.account_blocked' } }
  expect(await logIn(seller)).toMatchObject(refused)
  expect(await logIn(member)).toMatchObject(refused)
  expect(await app.api.post('integrations/login', { body: credentials })).toMatchObject(refused)
  // Only who knows the password learns of it.
  expect((await logIn({ ...seller, password: 'not this one' })).body.code).toBe('auth.credentials_invalid')

  expect((await change('unblock', seller.id)).body).toMatchObject({ blockedAt: null, blockReason: null })
  expect([await logIn(seller), await logIn(member)]).toMatchObject([{ status: 200 }, { status: 200 }])
  expect((await app.api.post('integrations/login', { body: credentials })).status).toBe(200)
  expect(await statusOf(seller.token)).toBe(401)
})

test('200: it is audited with its reason, and told by event and mail without it; repeating it changes nothing', async () => {
  const seller = await registerSeller(app)
  for (const verb of ['block', 'block', 'unblock', 'unblock'] as const) {
    expect((await change(verb, seller.id)).status).toBe(200)
  }
  const { body } = await app.api.get(`admin/audit-log?targetId=${seller.id}`, { token: owner })
  expect(body.data).toMatchObject([
    { action: 'user.unblock', actorId: claimsOf(risk).sub, after: REASON },
    { action: 'user.block', sellerId: seller.id, after: REASON },
  ])
  const events = await app.sql.query('select type, body from events where seller_id = $1 order by id', [seller.id])
  expect(events.rows.map(({ type }) => type)).toEqual(['seller.blocked', 'seller.unblocked'])
  const mails = await app.sql.query(
    "select kind, data::text as data from mails where recipient_user_id = $1 and kind like 'account%' order by id",
    [seller.id],
  )
  expect(mails.rows.map(({ kind }) => kind)).toEqual(['account_blocked', 'account_unblocked'])
  expect(JSON.stringify([events.rows, mails.rows])).not.toContain('Goods')
})

test('a blocked seller takes no new payments; payers of what was asked for are served', async () => {
  const seller = await sellingSeller(app)
  const link = await createLink(app, seller)
  const open = await payLink(app, link)
  await change('block', seller.id)
  expect(await postLinkPayment(app, link)).toMatchObject({ status: 409, body: { code: 'payment_link.inactive' } })
  expect((await app.api.get(`payment-links/${link.hash}`)).body.status).toBe('inactive')
  const seen = async () => (await app.api.get(`payment-links/${link.hash}/payments/${open.id}`)).body.status
  expect(await seen()).toBe('pending')
  await callBack(app, [paidNotification(open.id)])
  expect(await seen()).toBe('paid')
  const { rows } = await app.sql.query('select net_amount::int as net from payments where id = $1', [open.id])
  const balances = await balancesOf(app, seller)
  const booked = SELLER_ACCOUNTS.reduce((sum, account) => sum + (balances[account] ?? 0), 0)
  expect([booked > 0, booked]).toEqual([true, rows[0].net])
  expect((await eventsOf(app, seller)).map(({ type }) => type)).toContain('payment.paid')
})

test('nothing is paid out to a blocked seller: neither what waits for approval nor what was approved', async () => {
  const seller = await sellingSeller(app)
  await earn(app, seller.id, 50_000)
  const pending = await requested(app, seller)
  await configure(app, seller.id, { autoApproveMaxAmount: 50_000 })
  const approved = await requested(app, seller)
  expect([pending.status, approved.status]).toEqual(['pending_approval', 'approved'])
  await change('block', seller.id)

  const approve = () => app.api.post(`admin/withdrawals/${pending.id}/approve`, { token: owner })
  expect(await approve()).toMatchObject({ status: 409, body: { code: 'withdrawal.seller_blocked' } })
  const seen = async (id: string) => (await app.api.get(`admin/withdrawals/${id}`, { token: owner })).body
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  expect(await seen(approved.id)).toMatchObject({ status: 'approved', statusReason: 'seller_blocked' })

  await change('unblock', seller.id)
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(1)
  expect(await seen(approved.id)).toMatchObject({ status: 'completed', statusReason: null })
  expect((await approve()).status).toBe(200)
})

test('a member alone is blocked without their team', async () => {
  const seller = await registerSeller(app)
  const member = await joinTeam(app, seller, 'viewer')
  await change('block', member.id)
  expect((await app.api.get('balance', { token: member.token })).status).toBe(401)
  expect((await app.api.get('balance', { token: seller.token })).status).toBe(200)
  const events = await app.sql.query("select from events where seller_id = $1 and type like 'seller.%'", [seller.id])
  expect(events.rowCount).toBe(0)
})

test('administrators are blocked by owners only, and nobody blocks themselves', async () => {
  const support = await administratorWith(app, owner, 'support')
  expect(await change('block', support.id)).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })
  const own = await change('block', claimsOf(owner).sub, owner)
  expect(own).toMatchObject({ status: 409, body: { code: 'user.own_account' } })
  expect((await change('block', support.id, owner)).status).toBe(200)
  expect((await app.api.get('admin/enterprises', { token: support.token })).status).toBe(401)
  expect((await logIn(support)).body.code).toBe('auth.account_blocked')
})

test('an owner who is blocked is none: the other one can neither leave nor be made less', async () => {
  const other = await administratorWith(app, owner, 'owner')
  await change('block', other.id, owner)
  const own = claimsOf(owner).sub
  const refused = { status: 409, body: { code: 'user.last_owner' } }
  expect(await app.api.delete(`admin/members/${own}`, { token: owner })).toMatchObject(refused)
  const less = await app.api.put(`admin/members/${own}`, { token: owner, body: { adminRole: 'risk' } })
  expect(less).toMatchObject(refused)
  expect((await change('unblock', other.id, owner)).status).toBe(200)
})

test('400, 401, 403 and 404', async () => {
  const { id, token } = await registerSeller(app)
  expect((await app.api.put(`admin/users/${id}/block`, { token: risk, body: {} })).status).toBe(400)
  expect((await app.api.put(`admin/users/${id}/block`, { body: REASON })).status).toBe(401)
  expect((await change('block', id, token)).status).toBe(403)
  const missing = await change('block', randomUUID())
  expect(missing).toMatchObject({ status: 404, body: { code: 'user.not_found' } })
})
