import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller, type Seller } from '../../support/factories.ts'
import { mailsTo, tokenOf } from '../../support/mailbox.ts'
import { sendAll } from '../../support/mails.ts'
import { invitationToken, joinTeam } from '../../support/team.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const NEW_PASSWORD = 'um pastel de palmito e caldo de cana'
const masked = (email: string): string => `${email[0]}***@example.com`

const eventsOf = async ({ id }: Pick<Seller, 'id'>) => {
  const { rows } = await app.sql.query('select type, body from events where seller_id = $1 order by id', [id])
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data, body }))
}

const invite = async ({ token }: Seller, email: string): Promise<string> => {
  const body = { email, name: 'João Souza', role: 'finance' }
  return (await app.api.post('team/invitations', { token, body })).body.id
}

test('the account hears who was invited, joined and was removed, with masked addresses', async () => {
  const seller = await registerSeller(app)
  const [email, other] = [newEmail(), newEmail()]
  const invitationId = await invite(seller, email)
  const accepted = { token: await invitationToken(app, email), name: 'João Souza', password: NEW_PASSWORD }
  const { user } = (await app.api.post('auth/invitations/accept', { body: accepted })).body
  await app.api.delete(`team/${user.id}`, { token: seller.token })
  const withdrawnId = await invite(seller, other)
  await app.api.delete(`team/${withdrawnId}`, { token: seller.token })
  const events = await eventsOf(seller)
  const [person, stranger] = [email, other].map((address) => ({ email: masked(address), role: 'finance' }))
  expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'team.invited', data: { id: invitationId, ...person, status: 'invited' } },
    { type: 'team.joined', data: { id: user.id, ...person, status: 'active' } },
    { type: 'team.removed', data: { id: user.id, ...person, status: 'active' } },
    { type: 'team.invited', data: { id: withdrawnId, ...stranger, status: 'invited' } },
    { type: 'team.removed', data: { id: withdrawnId, ...stranger, status: 'invited' } },
  ])
  const text = JSON.stringify(events)
  for (const secret of [email, other, 'Souza', accepted.token]) expect(text).not.toContain(secret)
})

test('a member who leaves by deleting their own account is told as removed; an administrator’s coming is nobody’s', async () => {
  const seller = await registerSeller(app)
  const member = await joinTeam(app, seller, 'viewer')
  expect((await app.api.delete(`users/${member.id}`, { token: member.token })).status).toBe(204)
  expect(await eventsOf(seller)).toMatchObject([{ type: 'team.removed', data: { id: member.id, role: 'viewer' } }])
  const body = { email: newEmail(), name: 'Ana Lima', adminRole: 'risk' }
  const invited = await app.api.post('admin/members/invitations', { token: await adminToken(app), body })
  expect(invited.status).toBe(201)
  const { rows } = await app.sql.query("select body from events where type like 'team.%' and seller_id <> $1", [
    seller.id,
  ])
  expect(JSON.stringify(rows)).not.toContain(invited.body.id)
})

test('the account hears of a changed password of anybody of it, and nothing of the password', async () => {
  const seller = await registerSeller(app)
  const member = await joinTeam(app, seller, 'viewer')
  const body = { currentPassword: member.password, newPassword: 'dois cafés e um pão na chapa' }
  const refused = { ...body, currentPassword: 'not this one' }
  await app.api.put(`users/${member.id}/password`, { token: member.token, body: refused })
  await app.api.put(`users/${member.id}/password`, { token: member.token, body })
  await app.api.post('auth/password/forgot', { body: { email: seller.email } })
  await sendAll(app.services.jobs.sendMails)
  const mails = await mailsTo(app.config.dataDir, seller.email)
  const token = mails.map((mail) => tokenOf(mail, 'reset-password')).findLast(Boolean)
  const reset = await app.api.post('auth/password/reset', { body: { token, password: NEW_PASSWORD } })
  expect(reset.status).toBe(204)
  const events = await eventsOf(seller)
  const changed = { type: 'user.password_changed' }
  expect(events).toMatchObject([
    { ...changed, data: { userId: member.id, email: masked(member.email), changedAt: expect.any(String) } },
    { ...changed, data: { userId: seller.id, email: masked(seller.email) } },
  ])
  for (const secret of [member.email, seller.email, 'pastel', 'chapa']) {
    expect(JSON.stringify(events)).not.toContain(secret)
  }
})

test('the account hears of a changed address once it is confirmed', async () => {
  const seller = await registerSeller(app)
  const email = `nova-${newEmail()}`
  await app.api.put(`users/${seller.id}/email`, { token: seller.token, body: { email } })
  expect(await eventsOf(seller)).toEqual([])
  await sendAll(app.services.jobs.sendMails)
  const token = (await mailsTo(app.config.dataDir, email)).map((mail) => tokenOf(mail, 'confirm-email')).find(Boolean)
  expect((await app.api.post('auth/email/verify', { body: { token } })).status).toBe(204)
  const data = { userId: seller.id, email: 'n***@example.com', previousEmail: masked(seller.email) }
  expect(await eventsOf(seller)).toMatchObject([{ type: 'user.email_changed', data }])
})
