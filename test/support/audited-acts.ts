import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Answer, TestApp } from './app.ts'
import { callBack, paidNotice } from './callbacks.ts'
import { documentForm } from './company.ts'
import { createCustomer } from './customers.ts'
import { createCompany, newEmail, registerSeller, type Seller } from './factories.ts'
import { claimsOf } from './tokens.ts'
import { codeOf, enrol, letTimePass } from './totp.ts'
import { newWebhook } from './webhooks.ts'
import { request, sellerWith } from './withdrawals.ts'

/** A call that is about to be made, and what the audit log has to say of it afterwards. */
export type Act = {
  by: Pick<Seller, 'id' | 'token'>
  path: string
  body?: unknown
  action: string
  /** What the entry shows of before and after. Absent: nothing that matters, as of secrets. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

type World = { app: TestApp; admin: Pick<Seller, 'id' | 'token'> }
type Scenario = (world: World) => Promise<Act>

// What an administrator may write, and nobody may read in the audit log again.
export const REASON = 'Call Maria at (11) 98765-4321, maria@padaria.com.br, CPF 529.982.247-25'
export const MASKED_REASON = 'Call Maria at (11) *****-4321, m***@padaria.com.br, CPF ***.982.247-**'

const ok = (answer: Answer): Answer['body'] => {
  if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

export const adminOf = (token: string): World['admin'] => ({ id: claimsOf(token).sub, token })

const companyThatWaits = async ({ app }: World) => {
  const seller = await registerSeller(app)
  const company = await createCompany(app, seller)
  const form = documentForm()
  const sent = ok(await app.api.post(`companies/${company.id}/documents`, { token: seller.token, body: form }))
  return { seller, id: company.id as string, documentId: sent.documents[0].id as string }
}

const approvedCompany = async (world: World) => {
  const company = await companyThatWaits(world)
  ok(await world.app.api.post(`admin/enterprises/${company.id}/approve`, { token: world.admin.token }))
  return company
}

const decision =
  (verb: string, action: string, from: string, to: string): Scenario =>
  async (world) => {
    const { id } = from === 'awaiting_approval' ? await companyThatWaits(world) : await approvedCompany(world)
    if (from === 'suspended') {
      const suspend = { token: world.admin.token, body: { reason: REASON } }
      ok(await world.app.api.post(`admin/enterprises/${id}/suspend`, suspend))
    }
    return {
      by: world.admin,
      path: `admin/enterprises/${id}/${verb}`,
      body: { reason: REASON },
      action,
      before: { status: from },
      after: { status: to, reason: MASKED_REASON },
    }
  }

const approval =
  (suffix: string): Scenario =>
  async (world) => ({
    by: world.admin,
    path: `admin/enterprises/${(await companyThatWaits(world)).id}${suffix}`,
    action: 'company.approve',
    before: { status: 'awaiting_approval' },
    after: { status: 'approved' },
  })

const documentReview =
  (verb: 'approve' | 'reject', status: string): Scenario =>
  async (world) => {
    const { id, documentId } = await companyThatWaits(world)
    return {
      by: world.admin,
      path: `admin/enterprises/${id}/documents/${documentId}/${verb}`,
      ...(verb === 'reject' ? { body: { reason: REASON } } : {}),
      action: `document.${verb}`,
      before: { status: 'pending' },
      after: { status },
    }
  }

const withdrawalDecision =
  (verb: 'approve' | 'reject', status: string): Scenario =>
  async ({ app, admin }) => {
    const seller = await sellerWith(app, 50_000)
    const { id } = ok(await request(app, seller))
    return {
      by: admin,
      path: `admin/withdrawals/${id}/${verb}`,
      ...(verb === 'reject' ? { body: { reason: REASON } } : {}),
      action: `withdrawal.${verb}`,
      before: { status: 'pending_approval' },
      after: { status, ...(verb === 'reject' ? { statusReason: MASKED_REASON } : {}) },
    }
  }

const replay =
  (path: string): Scenario =>
  async ({ app, admin }) => {
    await callBack(app, [paidNotice(randomUUID())])
    const { rows } = await app.sql.query('select id from provider_events order by id desc limit 1')
    return {
      by: admin,
      path: `${path}/${rows[0].id}/replay`,
      action: 'provider_event.replay',
      before: { status: 'unmatched' },
      after: { status: 'received' },
    }
  }

const configuration =
  (path: string, action: string, change: Record<string, unknown>): Scenario =>
  async ({ app, admin }) => {
    const seller = await registerSeller(app)
    const [config] = ok(await app.api.get(`${path}?sellerId=${seller.id}`, { token: admin.token })).data
    const { id, sellerId: _1, sellerName: _2, sellerEmail: _3, createdAt: _4, updatedAt: _5, ...terms } = config
    const before = Object.fromEntries(Object.keys(change).map((name) => [name, terms[name]]))
    return { by: admin, path: `${path}/${id}`, body: { ...terms, ...change }, action, before, after: change }
  }

const FEE = { method: 'pix', percentage: 1.5, fixedAmount: 10, minAmount: null, maxAmount: null, settlementDays: 1 }

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

const SHOWN_WEBHOOK = { url: 'http://127.0.0.1:9/hooks', status: 'enabled' }

const newHoliday = ({ admin }: World, path: string) =>
  ({ by: admin, path, body: { isHoliday: true, name: 'Feriado municipal' } }) as const

/** How each act that has to be in the audit log comes about, by its operation. */
export const AUDITED_ACTS: Readonly<Record<string, Scenario>> = {
  'POST /admin/enterprises/:id': approval(''),
  'POST /admin/enterprises/:id/approve': approval('/approve'),
  'POST /admin/enterprises/:id/reject': decision('reject', 'company.reject', 'awaiting_approval', 'rejected'),
  'POST /admin/enterprises/:id/request-changes': decision(
    'request-changes',
    'company.request_changes',
    'awaiting_approval',
    'changes_requested',
  ),
  'POST /admin/enterprises/:id/suspend': decision('suspend', 'company.suspend', 'approved', 'suspended'),
  'POST /admin/enterprises/:id/reactivate': decision('reactivate', 'company.reactivate', 'suspended', 'approved'),
  'POST /admin/enterprises/:id/documents/:documentId/approve': documentReview('approve', 'approved'),
  'POST /admin/enterprises/:id/documents/:documentId/reject': documentReview('reject', 'rejected'),
  'POST /admin/withdrawals/:id/approve': withdrawalDecision('approve', 'approved'),
  'POST /admin/withdrawals/:id/reject': withdrawalDecision('reject', 'rejected'),
  'POST /admin/provider-events/:id/replay': replay('admin/provider-events'),
  'POST /admin/webhook-events/:id/replay': replay('admin/webhook-events'),
  'PUT /admin/reserve-configs/:id': configuration('admin/reserve-configs', 'reserve_config.update', {
    reservePercentage: 12.5,
    reserveDays: 45,
  }),
  'PUT /admin/withdrawal-configs/:id': configuration('admin/withdrawal-configs', 'withdrawal_config.update', {
    feeFixedAmount: 321,
  }),
  'PUT /admin/holidays/:date': async (world) => ({
    ...newHoliday(world, 'admin/holidays/2031-01-25'),
    action: 'holiday.set',
    after: { date: '2031-01-25', isHoliday: true, name: 'Feriado municipal' },
  }),
  'DELETE /admin/holidays/:date': async (world) => {
    const { by, path, body } = newHoliday(world, 'admin/holidays/2032-01-25')
    ok(await world.app.api.put(path, { token: by.token, body }))
    return { by, path, action: 'holiday.remove', before: { date: '2032-01-25', isHoliday: true } }
  },
  'POST /fees': async ({ app, admin }) => {
    const { id: sellerId } = await registerSeller(app)
    return {
      by: admin,
      path: 'fees',
      body: { ...FEE, sellerId },
      action: 'fee.create',
      after: { sellerId, percentage: 1.5 },
    }
  },
  'PUT /fees/:id': async ({ app, admin }) => {
    const { id: sellerId } = await registerSeller(app)
    const fee = ok(await app.api.post('fees', { token: admin.token, body: { ...FEE, sellerId } }))
    const [before, after] = [{ percentage: 1.5 }, { percentage: 2.5 }]
    return {
      by: admin,
      path: `fees/${fee.id}`,
      body: { ...FEE, sellerId, ...after },
      action: 'fee.update',
      before,
      after,
    }
  },
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
    const after = { email: 's***@example.com', changedFields: ['name', 'companyName', 'phone', 'email'] }
    return {
      by: admin,
      path: `users/${id}`,
      body: person(),
      action: 'user.update',
      before: { email: 's***@example.com' },
      after,
    }
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
  'POST /sandbox/clock/advance': async ({ admin }) => ({
    by: admin,
    path: 'sandbox/clock/advance',
    body: { hours: 1 },
    action: 'sandbox.advance_clock',
    before: { now: expect.any(String) },
    after: { now: expect.any(String) },
  }),
}
