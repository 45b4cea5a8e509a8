import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { anotherAdmin, newApproval, newException, newReceivedPix, statementForm } from '../administrators.ts'
import { callBack, paidNotification } from '../callbacks.ts'
import { documentForm } from '../company.ts'
import { createCompany, registerSeller } from '../factories.ts'
import { fileForm, imageBytes } from '../images.ts'
import { sellingSeller } from '../payments.ts'
import { fillAcquirer } from '../provider-balance.ts'
import { paidPix, reservingSeller } from '../refunds.ts'
import { request, sellerWith } from '../withdrawals.ts'
import { adminOf, MASKED_REASON, ok, REASON, type Scenario, type Scenarios, type World } from './act.ts'

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
  async ({ app }) => {
    const seller = await sellerWith(app, 50_000)
    const { id } = ok(await request(app, seller))
    return {
      // Not who approved the seller's company.
      by: adminOf(await anotherAdmin(app)),
      path: `admin/withdrawals/${id}/${verb}`,
      ...(verb === 'reject' ? { body: { reason: REASON } } : {}),
      action: `withdrawal.${verb}`,
      before: { status: 'pending_approval' },
      after: { status, ...(verb === 'reject' ? { statusReason: MASKED_REASON } : {}) },
    }
  }

const approvalDecision =
  (verb: 'approve' | 'reject', status: string): Scenario =>
  async ({ app, admin }) => {
    const second = await anotherAdmin(app)
    return {
      by: adminOf(second),
      path: `admin/approvals/${await newApproval(app, admin.token)}/${verb}`,
      ...(verb === 'reject' ? { body: { reason: REASON } } : {}),
      action: `approval.${verb}`,
      before: { status: 'pending' },
      after: { status, ...(verb === 'reject' ? { reason: MASKED_REASON } : {}) },
    }
  }

const NO_POLICY = {
  withdrawalFromAmount: null,
  adjustmentFromAmount: null,
  writeOffFromAmount: null,
  treasuryPayoutFromAmount: null,
}

const replay =
  (path: string): Scenario =>
  async ({ app, admin }) => {
    await callBack(app, [paidNotification(randomUUID())])
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

const newHoliday = ({ admin }: World, path: string) =>
  ({ by: admin, path, body: { isHoliday: true, name: 'Feriado municipal' } }) as const

/** What administrators decide and set. */
export const platformActs: Scenarios = {
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
  'POST /admin/reserve-configs/:id/releases': async ({ app, admin }) => {
    const seller = await registerSeller(app)
    const [config] = ok(await app.api.get(`admin/reserve-configs?sellerId=${seller.id}`, { token: admin.token })).data
    const path = `admin/reserve-configs/${config.id}/releases`
    return { by: admin, path, body: { deactivate: true }, action: 'reserve_config.release' }
  },
  'POST /admin/reserve-holds/:id/release': async ({ app, admin }) => {
    const seller = await reservingSeller(app)
    await paidPix(app, seller)
    const [hold] = ok(await app.api.get(`admin/reserve-holds?sellerId=${seller.id}`, { token: admin.token })).data
    return {
      by: admin,
      path: `admin/reserve-holds/${hold.id}/release`,
      action: 'reserve_hold.release',
      before: { status: 'held' },
      after: { status: 'released' },
    }
  },
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
  'DELETE /admin/sellers/:id/logo': async ({ app, admin }) => {
    const { id, token } = await registerSeller(app)
    const { logo } = ok(await app.api.put('branding/logo', { token, body: fileForm(imageBytes()) }))
    const before = { logoId: logo.url.split('/').at(-1) }
    return { by: admin, path: `admin/sellers/${id}/logo`, action: 'branding.update', before, after: { logoId: null } }
  },
  'PUT /admin/velocity-rules': async ({ admin }) => {
    const rule = { subject: 'link', failuresMax: 321, withinMinutes: 60, firstWaitMinutes: 5, longestWaitMinutes: 60 }
    const rules = [{ ...rule, isActive: true }]
    return {
      by: admin,
      path: 'admin/velocity-rules',
      body: { rules },
      action: 'velocity_rule.update',
      before: { failuresMax: 200 },
      after: rule,
    }
  },
  'PUT /admin/dispute-fees/:type': async ({ admin }) => ({
    by: admin,
    path: 'admin/dispute-fees/chargeback',
    body: { feeAmount: 4_321 },
    action: 'dispute_fee.set',
    before: { type: 'chargeback' },
    after: { type: 'chargeback', feeAmount: 4_321 },
  }),
  'PUT /admin/approval-policy': async ({ admin }) => ({
    by: admin,
    path: 'admin/approval-policy',
    body: { ...NO_POLICY, adjustmentFromAmount: 900_000_000 },
    action: 'approval_policy.set',
    before: { adjustmentFromAmount: null },
    after: { adjustmentFromAmount: 900_000_000 },
  }),
  'POST /admin/approvals/:id/approve': approvalDecision('approve', 'approved'),
  'POST /admin/approvals/:id/reject': approvalDecision('reject', 'rejected'),
  'POST /admin/adjustments': async ({ app }) => {
    const { id: sellerId } = await sellerWith(app, 0)
    return {
      // Not who approved the seller's company.
      by: adminOf(await anotherAdmin(app)),
      path: 'admin/adjustments',
      body: { sellerId, amount: 15, reason: REASON },
      action: 'adjustment.create',
      after: { kind: 'correction', amount: 15, reason: MASKED_REASON },
    }
  },
  'POST /admin/treasury/payouts': async ({ app, admin }) => {
    await paidPix(app, await sellingSeller(app))
    await fillAcquirer(app)
    return {
      by: admin,
      path: 'admin/treasury/payouts',
      headers: { 'idempotency-key': randomUUID() },
      body: { amount: 1, pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: REASON },
      action: 'treasury.pay_out',
      after: { amount: 1, reason: MASKED_REASON },
    }
  },
  'POST /admin/reconciliations': async ({ admin }) => ({
    by: admin,
    path: 'admin/reconciliations',
    body: { provider: 'sandbox', date: '2026-01-05' },
    action: 'reconciliation.run',
    after: { provider: 'sandbox', date: '2026-01-05' },
  }),
  'POST /admin/provider-statements': async ({ admin }) => ({
    by: admin,
    path: 'admin/provider-statements',
    body: statementForm('sandbox', '2026-01-06', `charge,${randomUUID()},,1,,2026-01-06T12:00:00Z`),
    action: 'provider_statement.hand_in',
    after: { provider: 'sandbox', date: '2026-01-06', linesCount: 1 },
  }),
  'POST /sandbox/faults': async ({ admin }) => ({
    by: admin,
    path: 'sandbox/faults',
    body: { fault: 'ghost_payout', amount: 700 },
    action: 'sandbox.plant_fault',
    after: { fault: 'ghost_payout', amount: 700 },
  }),
  'POST /admin/reconciliation-exceptions/:id/resolve': async ({ app, admin }) => ({
    by: admin,
    path: `admin/reconciliation-exceptions/${await newException(app)}/resolve`,
    body: { resolution: 'explain', reason: REASON },
    action: 'reconciliation_exception.resolve',
    before: { status: 'open' },
    after: { status: 'resolved', resolution: 'explain', reason: MASKED_REASON },
  }),
  'POST /admin/received-pix/:endToEndId/resolve': async ({ app, admin }) => ({
    by: admin,
    path: `admin/received-pix/${await newReceivedPix(app)}/resolve`,
    body: { resolution: 'explain', reason: REASON },
    action: 'received_pix.resolve',
  }),
  'PUT /admin/provider-costs': async ({ admin }) => ({
    by: admin,
    path: 'admin/provider-costs',
    body: { costs: [] },
    action: 'provider_costs.set',
    before: { costs: [] },
    after: { costs: [] },
  }),
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
  'POST /sandbox/clock/advance': async ({ admin }) => ({
    by: admin,
    path: 'sandbox/clock/advance',
    body: { hours: 1 },
    action: 'sandbox.advance_clock',
    before: { now: expect.any(String) },
    after: { now: expect.any(String) },
  }),
}
