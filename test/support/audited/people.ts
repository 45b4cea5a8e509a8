import { createCustomer, newCpf } from '../customers.ts'
import { newEmail, registerSeller } from '../factories.ts'
import { sellingSeller } from '../payments.ts'
import { saveCard } from '../saved-cards.ts'
import { administratorWith, joinTeam } from '../team.ts'
import { claimsOf } from '../tokens.ts'
import { codeOf, enrol, letTimePass } from '../totp.ts'
import { newWebhook } from '../webhooks.ts'
import { MASKED_REASON, ok, REASON, type Scenarios, type World } from './act.ts'

const person = () => ({ email: newEmail(), name: 'Joana Prado', companyName: 'Joana Prado ME', phone: '11912345678' })

const totp = async ({ app }: World) => {
  const seller = await registerSeller(app)
  return { seller, ...(await enrol(app, seller)), path: `users/${seller.id}/totp` }
}

const webhook = async ({ app }: World) => {
  const seller = await registerSeller(app)
  const id = await newWebhook(app, seller, 'http://127.0.0.1:9/hooks?key=secret-of-the-seller')
  return { seller, path: `seller-webhooks/${id}` }
}

const SHOWN_WEBHOOK = { host: '127.0.0.1:9', status: 'enabled' }

/** What is done to accounts, to how people and servers get in, and to what is kept about people. */
export const peopleActs: Scenarios = {
  'POST /users': async ({ admin }) => {
    const given = person()
    const after = { role: 'seller', email: `s***@example.com`, hasPhone: true }
    return {
      by: admin,
      path: 'users',
      body: { ...given, password: 'dois cafés', role: 'seller' },
      action: 'user.create',
      after,
    }
  },
  'PUT /users/:id': async ({ app, admin }) => {
    const { id } = await registerSeller(app)
    const changed = { email: 's***@example.com', changedFields: ['name', 'companyName', 'phone'] }
    const after = { ...changed, askedEmail: 's***@example.com' }
    return {
      by: admin,
      path: `users/${id}`,
      body: person(),
      action: 'user.update',
      before: { email: 's***@example.com' },
      after,
    }
  },
  'POST /auth/step-up': async ({ app }) => {
    const seller = await registerSeller(app)
    return { by: seller, path: 'auth/step-up', body: { password: seller.password }, action: 'session.step_up' }
  },
  'DELETE /users/:id/sessions/:sessionId': async ({ app }) => {
    const seller = await registerSeller(app)
    const path = `users/${seller.id}/sessions/${claimsOf(seller.token).sid}`
    return { by: seller, path, action: 'session.end', after: { userId: seller.id } }
  },
  'POST /team/invitations': async ({ app }) => {
    const after = { email: 's***@example.com', role: 'viewer' }
    const body = { email: newEmail(), name: 'Joana Prado', role: 'viewer' }
    return { by: await registerSeller(app), path: 'team/invitations', body, action: 'team.invite', after }
  },
  'POST /admin/members/invitations': async ({ admin }) => {
    const after = { email: 's***@example.com', role: 'finance' }
    const body = { email: newEmail(), name: 'Joana Prado', adminRole: 'finance' }
    return { by: admin, path: 'admin/members/invitations', body, action: 'team.invite', after }
  },
  'PUT /team/:userId': async ({ app }) => {
    const seller = await registerSeller(app)
    const { id } = await joinTeam(app, seller, 'viewer')
    const [before, after] = [{ role: 'viewer' }, { role: 'finance' }]
    return { by: seller, path: `team/${id}`, body: { role: 'finance' }, action: 'team.update_role', before, after }
  },
  'DELETE /team/:userId': async ({ app }) => {
    const seller = await registerSeller(app)
    const { id } = await joinTeam(app, seller, 'viewer')
    return { by: seller, path: `team/${id}`, action: 'team.remove', before: { role: 'viewer' } }
  },
  'PUT /admin/members/:id': async ({ app, admin }) => {
    const { id } = await administratorWith(app, admin.token, 'viewer')
    const [before, after] = [{ adminRole: 'viewer' }, { adminRole: 'risk' }]
    return {
      by: admin,
      path: `admin/members/${id}`,
      body: { adminRole: 'risk' },
      action: 'member.update_role',
      before,
      after,
    }
  },
  'DELETE /admin/members/:id': async ({ app, admin }) => {
    const { id } = await administratorWith(app, admin.token, 'risk')
    return { by: admin, path: `admin/members/${id}`, action: 'member.delete', before: { adminRole: 'risk' } }
  },
  'DELETE /users/:id': async ({ app, admin }) => {
    const { id } = await registerSeller(app)
    const before = { role: 'seller', email: 's***@example.com', hasPhone: false }
    return { by: admin, path: `users/${id}`, action: 'user.delete', before }
  },
  'PUT /users/:id/password': async ({ app }) => {
    const by = await registerSeller(app)
    const body = { currentPassword: by.password, newPassword: 'outro café com leite' }
    return { by, path: `users/${by.id}/password`, body, action: 'user.change_password' }
  },
  'PUT /users/:id/email': async ({ app }) => {
    const by = await registerSeller(app)
    const body = { email: 'nova@example.com' }
    const after = { askedEmail: 'n***@example.com' }
    return { by, path: `users/${by.id}/email`, body, action: 'user.ask_for_email', after }
  },
  'PUT /users/:id/notifications': async ({ app }) => {
    const by = await registerSeller(app)
    const mails = { company: true, withdrawals: true, disputes: true, dailyDigest: true }
    const before = { language: 'pt', mails, payerReceipts: false }
    const after = { ...before, language: 'en' }
    return { by, path: `users/${by.id}/notifications`, body: after, action: 'user.update_notifications', before, after }
  },
  'POST /users/:id/totp': async ({ app }) => {
    const by = await registerSeller(app)
    return { by, path: `users/${by.id}/totp`, body: { currentPassword: by.password }, action: 'user.begin_totp' }
  },
  'POST /users/:id/totp/confirm': async ({ app }) => {
    const by = await registerSeller(app)
    const body = { currentPassword: by.password }
    const { secret } = ok(await app.api.post(`users/${by.id}/totp`, { token: by.token, body }))
    const code = { totpCode: codeOf(secret) }
    return { by, path: `users/${by.id}/totp/confirm`, body: code, action: 'user.enable_totp' }
  },
  'POST /users/:id/totp/disable': async (world) => {
    const { seller, secret, path } = await totp(world)
    await letTimePass(world.app, seller.id)
    return { by: seller, path: `${path}/disable`, body: { totpCode: codeOf(secret) }, action: 'user.disable_totp' }
  },
  'PUT /admin/users/:id/block': async ({ app, admin }) => {
    const path = `admin/users/${(await registerSeller(app)).id}/block`
    return { by: admin, path, body: { reason: REASON }, action: 'user.block', after: { reason: MASKED_REASON } }
  },
  'PUT /admin/users/:id/unblock': async ({ app, admin }) => {
    const { id } = await registerSeller(app)
    ok(await app.api.put(`admin/users/${id}/block`, { token: admin.token, body: { reason: 'Fraud' } }))
    const body = { reason: REASON }
    return {
      by: admin,
      path: `admin/users/${id}/unblock`,
      body,
      action: 'user.unblock',
      after: { reason: MASKED_REASON },
    }
  },
  'DELETE /admin/users/:id/totp': async (world) => ({
    by: world.admin,
    path: `admin/${(await totp(world)).path}`,
    action: 'user.reset_totp',
  }),
  'PUT /integrations/credentials': async ({ app }) => {
    const by = await registerSeller(app)
    const body = { scopes: ['balance:read'], allowedIps: ['203.0.113.7'], rotateSecret: true }
    const after = { scopes: ['balance:read'], allowedIps: ['203.0.113.7'], secretRotated: true }
    const action = 'integration.update_credentials'
    return { by, path: 'integrations/credentials', body, action, before: { allowedIps: [] }, after }
  },
  'POST /seller-webhooks': async ({ app }) => {
    const body = { url: 'http://127.0.0.1:9/hooks?key=secret-of-the-seller' }
    return {
      by: await registerSeller(app),
      path: 'seller-webhooks',
      body,
      action: 'webhook.create',
      after: SHOWN_WEBHOOK,
    }
  },
  'PATCH /seller-webhooks/:id': async (world) => {
    const { seller, path } = await webhook(world)
    const after = { ...SHOWN_WEBHOOK, status: 'paused' }
    return { by: seller, path, body: { status: 'paused' }, action: 'webhook.update', before: SHOWN_WEBHOOK, after }
  },
  'DELETE /seller-webhooks/:id': async (world) => {
    const { seller, path } = await webhook(world)
    return { by: seller, path, action: 'webhook.delete' }
  },
  'POST /seller-webhooks/:id/secret/rotate': async (world) => {
    const { seller, path } = await webhook(world)
    return { by: seller, path: `${path}/secret/rotate`, action: 'webhook.rotate_secret' }
  },
  'DELETE /customers/:id': async ({ app }) => {
    const by = await registerSeller(app)
    const { id } = await createCustomer(app, by)
    return { by, path: `customers/${id}`, action: 'customer.anonymize', after: { paymentsCount: 0 } }
  },
  'DELETE /customers/:customerId/cards/:cardId': async ({ app }) => {
    const by = await sellingSeller(app)
    const { id: customerId } = await createCustomer(app, by)
    const { id: cardId } = await saveCard(app, by, customerId)
    const path = `customers/${customerId}/cards/${cardId}`
    return { by, path, action: 'customer.delete_card', before: { cardId } }
  },
  'GET /admin/users/:id/personal-data': async ({ app, admin }) => ({
    by: admin,
    path: `admin/users/${(await registerSeller(app)).id}/personal-data`,
    action: 'user.export_personal_data',
  }),
  'GET /admin/customers/:sellerId/:id/personal-data': async ({ app, admin }) => {
    const seller = await registerSeller(app)
    const { id } = await createCustomer(app, seller)
    return {
      by: admin,
      path: `admin/customers/${seller.id}/${id}/personal-data`,
      action: 'customer.export_personal_data',
    }
  },
  'POST /personal-data/exports': async ({ app }) => ({
    by: await registerSeller(app),
    path: 'personal-data/exports',
    body: { document: newCpf() },
    action: 'payer.export_personal_data',
  }),
  'POST /personal-data/erasures': async ({ app }) => {
    const by = await registerSeller(app)
    const { document } = await createCustomer(app, by)
    const after = { customersCount: 1, paymentsCount: 0 }
    return { by, path: 'personal-data/erasures', body: { document }, action: 'payer.erase', after }
  },
}
