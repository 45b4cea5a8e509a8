import { randomUUID } from 'node:crypto'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import { anotherAdmin, newApproval, newException, newReceivedPix, statementForm } from '../administrators.ts'
import { type Answer, startTestApp, type TestApp } from '../app.ts'
import { adminToken, registerSeller, type Seller } from '../factories.ts'
import { createPayment, PAYER, postPayment, sellingSeller } from '../payments.ts'
import { AWAY, whileBalanceIs } from '../provider-balance.ts'
import { disputed, paidBoleto, paidCard, paidPix, postRefund, reservingSeller, resolve } from '../refunds.ts'
import { administratorWith } from '../team.ts'
import { claimsOf } from '../tokens.ts'
import { configure, request, requested, sellerWith } from '../withdrawals.ts'
import { ok, REASON, type Refusal, type Refusals, type World, withoutPixFee } from './world.ts'

const DAY_MS = 86_400_000

// The clock never goes back, so these come after everything else.
const letDaysPass = ({ app }: World, days: number): void => app.clock.setOffsetMs(app.clock.offsetMs() + days * DAY_MS)

// Another platform, of which only this provider is configured.
const servingOnly = async (variable: string, refuse: (app: TestApp) => Promise<Answer>): Promise<Answer> => {
  const app = await startTestApp({ [variable]: 'sandbox' })
  try {
    return await refuse(app)
  } finally {
    await app.close()
  }
}

const authorizedCard = (app: TestApp, seller: Seller) =>
  createPayment(app, seller, { method: 'credit_card', cardToken: 'tok_0001', capture: false })

// As an acquirer that can do less with a method than the sandbox.
const withLess = async <Method extends 'pix' | 'credit_card'>(
  app: TestApp,
  [method, what]: [Method, string],
  refuse: () => Promise<Answer>,
): Promise<Answer> => {
  const abilities = app.services.providers.find('sandbox')?.charges?.methods[method]
  if (abilities === undefined) throw new Error(`the sandbox takes no ${method}`)
  Object.assign(abilities, { [what]: false })
  return refuse().finally(() => Object.assign(abilities, { [what]: true }))
}

const newHold = async ({ app, admin }: World) => {
  const seller = await reservingSeller(app)
  const { id: paymentId } = await paidPix(app, seller)
  const [hold] = ok(await app.api.get(`admin/reserve-holds?sellerId=${seller.id}`, { token: admin })).data
  return { seller, paymentId, holdId: hold.id as string }
}

const releaseHold = ({ app, admin }: World, id: string) =>
  app.api.post(`admin/reserve-holds/${id}/release`, { token: admin })

const withdrawal =
  (terms: Record<string, number | boolean>, amount: number): Refusal =>
  async ({ app }) => {
    const seller = await sellerWith(app, 50_000)
    await configure(app, seller.id, terms)
    return request(app, seller, { amount })
  }

const decideTwice =
  (verb: 'approve' | 'reject'): Refusal =>
  async ({ app, admin }) => {
    const { id } = await requested(app, await sellerWith(app, 10_000))
    ok(await app.api.post(`admin/withdrawals/${id}/reject`, { token: admin, body: REASON }))
    const body = verb === 'reject' ? REASON : undefined
    return app.api.post(`admin/withdrawals/${id}/${verb}`, { token: admin, body })
  }

// Only somebody who became an administrator in the database can have requested one.
const decideOwn =
  (verb: 'approve' | 'reject'): Refusal =>
  async ({ app, admin }) => {
    const { id } = await requested(app, await sellerWith(app, 10_000))
    await app.sql.query('update withdrawals set requested_by = $1 where id = $2', [claimsOf(admin).sub, id])
    const body = verb === 'reject' ? REASON : undefined
    return app.api.post(`admin/withdrawals/${id}/${verb}`, { token: admin, body })
  }

export const moneyRefusals: Refusals = {
  'POST /payments seller.not_approved': async ({ app }) => postPayment(app, await registerSeller(app)),
  'POST /payments customer.not_found': ({ app, seller }) => postPayment(app, seller, { customerId: randomUUID() }),
  'POST /payments fee.not_configured': async ({ app, seller }) => withoutPixFee(app, () => postPayment(app, seller)),
  'POST /fees/simulate fee.not_configured': async ({ app, seller }) =>
    withoutPixFee(app, () =>
      app.api.post('fees/simulate', { token: seller.token, body: { method: 'pix', amount: 100 } }),
    ),
  'GET /payments/{id}/qr-code payment.no_qr_code': async ({ app, seller }) => {
    const { id } = await paidCard(app, seller)
    return app.api.get(`payments/${id}/qr-code`, { token: seller.token })
  },
  'GET /payments/{id}/boleto payment.no_boleto': async ({ app, seller }) => {
    const { id } = await paidCard(app, seller)
    return app.api.get(`payments/${id}/boleto`, { token: seller.token })
  },
  'POST /payments/{id}/cancel payment.not_cancelable': async ({ app, seller }) => {
    const { id } = await paidPix(app, seller)
    return app.api.post(`payments/${id}/cancel`, { token: seller.token })
  },
  'POST /payments payment.method_unavailable': () =>
    servingOnly('BOLETO_PROVIDER', async (app) => postPayment(app, await sellingSeller(app))),
  'POST /payments payment.due_terms_unavailable': ({ app, seller }) =>
    withLess(app, ['pix', 'dueDate'], () =>
      postPayment(app, seller, { dueDate: saoPauloDate(app.clock.now()), customer: PAYER }),
    ),
  'POST /withdrawals withdrawal.unavailable': () =>
    servingOnly('BOLETO_PROVIDER', async (app) => request(app, await sellerWith(app, 10_000))),
  'POST /payments/{id}/capture payment.capture_exceeds_amount': async ({ app, seller }) => {
    const { id } = await authorizedCard(app, seller)
    return app.api.post(`payments/${id}/capture`, { token: seller.token, body: { amount: 1_000_000 } })
  },
  'POST /payments/{id}/capture payment.partial_capture_unavailable': async ({ app, seller }) => {
    const { id } = await authorizedCard(app, seller)
    const asked = { token: seller.token, body: { amount: 1 } }
    return withLess(app, ['credit_card', 'partialCapture'], () => app.api.post(`payments/${id}/capture`, asked))
  },
  'POST /admin/received-pix/{endToEndId}/resolve received_pix.not_open': async ({ app, admin }) => {
    const path = `admin/received-pix/${await newReceivedPix(app)}/resolve`
    const body = { ...REASON, resolution: 'explain' }
    ok(await app.api.post(path, { token: admin, body }))
    return app.api.post(path, { token: admin, body })
  },
  'POST /payments/{id}/capture payment.not_capturable': async ({ app, seller }) => {
    const { id } = await paidPix(app, seller)
    return app.api.post(`payments/${id}/capture`, { token: seller.token })
  },
  'POST /payments/{id}/refunds refund.payment_not_refundable': async ({ app, seller }) =>
    postRefund(app, seller, (await createPayment(app, seller)).id),
  'POST /payments/{id}/refunds refund.payment_in_dispute': async ({ app, seller }) => {
    const { id } = await paidPix(app, seller)
    await disputed(app, seller, id)
    return postRefund(app, seller, id)
  },
  'POST /payments/{id}/refunds refund.method_not_refundable': async ({ app, seller }) =>
    postRefund(app, seller, (await paidBoleto(app, seller)).id),
  'POST /payments/{id}/refunds refund.amount_exceeds_payment': async ({ app, seller }) =>
    postRefund(app, seller, (await paidPix(app, seller)).id, { amount: 10_001 }),
  'POST /payments/{id}/refunds balance.insufficient': async ({ app }) => {
    const seller = await reservingSeller(app)
    return postRefund(app, seller, (await paidPix(app, seller)).id)
  },
  'POST /disputes/{id}/defense dispute.not_open': async ({ app, seller }) => {
    const dispute = await disputed(app, seller, (await paidPix(app, seller)).id)
    ok(await resolve(app, seller, dispute.id, 'lost'))
    return app.api.post(`disputes/${dispute.id}/defense`, { token: seller.token, body: { text: 'It was sent.' } })
  },
  'POST /disputes/{id}/defense document.type_not_supported': async ({ app, seller }) => {
    const dispute = await disputed(app, seller, (await paidPix(app, seller)).id)
    const body = new FormData()
    body.append('text', 'It was sent.')
    body.append('file', new Blob(['only text']), 'proof.pdf')
    return app.api.post(`disputes/${dispute.id}/defense`, { token: seller.token, body })
  },
  'GET /disputes/{id}/files/{fileId}/content dispute.file_not_found': async ({ app, seller }) => {
    const dispute = await disputed(app, seller, (await paidPix(app, seller)).id)
    return app.api.get(`disputes/${dispute.id}/files/${randomUUID()}/content`, { token: seller.token })
  },
  'POST /admin/reserve-holds/{id}/release reserve_hold.frozen': async (world) => {
    const { seller, paymentId, holdId } = await newHold(world)
    await disputed(world.app, seller, paymentId)
    return releaseHold(world, holdId)
  },
  'POST /admin/reserve-holds/{id}/release reserve_hold.not_held': async (world) => {
    const { holdId } = await newHold(world)
    ok(await releaseHold(world, holdId))
    return releaseHold(world, holdId)
  },
  'POST /withdrawals seller.not_approved': async ({ app }) => request(app, await registerSeller(app)),
  'POST /withdrawals user.email_unverified': async ({ app }) => {
    const seller = await sellerWith(app, 10_000)
    await app.sql.query('update users set email_verified_at = null where id = $1', [seller.id])
    return request(app, seller)
  },
  'POST /withdrawals withdrawal.disabled': withdrawal({ isActive: false }, 10_000),
  'POST /withdrawals withdrawal.below_minimum': withdrawal({ minAmount: 5_000 }, 4_999),
  'POST /withdrawals withdrawal.above_maximum': withdrawal({ maxAmount: 5_000 }, 5_001),
  'POST /withdrawals withdrawal.daily_limit': async ({ app }) => {
    const seller = await sellerWith(app, 50_000)
    await configure(app, seller.id, { maxAmount: 5_000, dailyLimitAmount: 5_000 })
    await requested(app, seller, { amount: 5_000 })
    return request(app, seller, { amount: 5_000 })
  },
  'POST /withdrawals withdrawal.fee_exceeds_amount': withdrawal({ minAmount: 1, feeFixedAmount: 1_000 }, 1_000),
  'POST /withdrawals balance.insufficient': withdrawal({}, 50_001),
  'POST /withdrawals/{id}/cancel withdrawal.not_cancelable': async ({ app }) => {
    const seller = await sellerWith(app, 10_000)
    const { id } = await requested(app, seller)
    ok(await app.api.post(`withdrawals/${id}/cancel`, { token: seller.token }))
    return app.api.post(`withdrawals/${id}/cancel`, { token: seller.token })
  },
  'POST /admin/withdrawals/{id}/approve withdrawal.not_pending': decideTwice('approve'),
  'POST /admin/withdrawals/{id}/approve withdrawal.same_person': decideOwn('approve'),
  'POST /admin/withdrawals/{id}/approve withdrawal.uncovered': async ({ app, admin }) => {
    const seller = await sellingSeller(app)
    const payment = await paidPix(app, seller)
    const { available } = await app.services.read.ledger.findBalances(seller.id)
    const { id } = await requested(app, seller, { amount: available })
    await disputed(app, seller, payment.id)
    return app.api.post(`admin/withdrawals/${id}/approve`, { token: admin })
  },
  'POST /admin/withdrawals/{id}/approve approval.first_day': async ({ app, admin }) => {
    const { id } = await requested(app, await sellerWith(app, 10_000))
    const { token } = await administratorWith(app, admin, 'finance')
    return app.api.post(`admin/withdrawals/${id}/approve`, { token })
  },
  'POST /admin/withdrawals/{id}/approve withdrawal.seller_blocked': async ({ app, admin }) => {
    const seller = await sellerWith(app, 10_000)
    const { id } = await requested(app, seller)
    ok(await app.api.put(`admin/users/${seller.id}/block`, { token: admin, body: REASON }))
    return app.api.post(`admin/withdrawals/${id}/approve`, { token: admin })
  },
  'POST /admin/withdrawals/{id}/reject withdrawal.not_pending': decideTwice('reject'),
  'POST /admin/withdrawals/{id}/reject withdrawal.same_person': decideOwn('reject'),
  'GET /transactions transaction.statement_filtered': async ({ app, seller }) =>
    app.api.get('transactions?bucket=pending', { token: seller.token, headers: { accept: 'application/x-ofx' } }),
}

const adjustment =
  (sellerId: 'own' | 'unknown', body: object): Refusal =>
  async ({ app, admin }) => {
    const { id } = await sellerWith(app, 100)
    const given = { sellerId: sellerId === 'own' ? id : randomUUID(), ...REASON, ...body }
    return app.api.post('admin/adjustments', { token: admin, body: given })
  }

const ownApproval =
  (verb: 'approve' | 'reject', times: number): Refusal =>
  async ({ app, admin }) => {
    const body = verb === 'reject' ? REASON : undefined
    const approval = await newApproval(app, admin)
    const second = times > 1 ? await anotherAdmin(app) : admin
    for (let at = 1; at < times; at += 1)
      ok(await app.api.post(`admin/approvals/${approval}/${verb}`, { token: second, body }))
    return app.api.post(`admin/approvals/${approval}/${verb}`, { token: second, body })
  }

const reconcile =
  (provider: string, date: string): Refusal =>
  ({ app, admin }) =>
    app.api.post('admin/reconciliations', { token: admin, body: { provider, date } })

const handIn =
  (provider: string, date: string): Refusal =>
  ({ app, admin }) =>
    app.api.post('admin/provider-statements', { token: admin, body: statementForm(provider, date, '') })

const resolveException =
  (body: object, times = 1): Refusal =>
  async ({ app, admin }) => {
    const path = `admin/reconciliation-exceptions/${await newException(app)}/resolve`
    const send = () => app.api.post(path, { token: admin, body: { ...body, ...REASON } })
    for (let at = 1; at < times; at += 1) ok(await send())
    return send()
  }

const payTreasury = (app: World['app'], token: string) =>
  app.api.post('admin/treasury/payouts', {
    token,
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: 900_000_000_000, pixKeyType: 'email', pixKey: 'tesouraria@example.com', ...REASON },
  })

/** Of the platform's own money, and of what needs two people. */
export const correctionRefusals: Refusals = {
  'POST /admin/adjustments adjustment.seller_not_found': adjustment('unknown', { amount: 1 }),
  'POST /admin/adjustments adjustment.balance_insufficient': adjustment('own', { amount: -101 }),
  'POST /admin/adjustments adjustment.exceeds_debt': adjustment('own', { amount: 1, kind: 'write_off' }),
  'POST /admin/adjustments adjustment.exceeds_loss': adjustment('own', { amount: -1, kind: 'recovery' }),
  'POST /admin/approvals/{id}/approve approval.first_day': async ({ app, admin }) => {
    const { token } = await administratorWith(app, admin, 'finance')
    return app.api.post(`admin/approvals/${await newApproval(app, admin)}/approve`, { token })
  },
  'POST /admin/approvals/{id}/approve approval.same_person': ownApproval('approve', 1),
  'POST /admin/approvals/{id}/reject approval.same_person': ownApproval('reject', 1),
  'POST /admin/approvals/{id}/approve approval.not_possible': async ({ app, admin }) => {
    const approval = await newApproval(app, admin)
    await app.sql.query(
      `update ledger_accounts set balance_amount = -1 where account = 'available'
         and seller_id = (select seller_id from approvals where id = $1)`,
      [approval],
    )
    return app.api.post(`admin/approvals/${approval}/approve`, { token: await anotherAdmin(app) })
  },
  'POST /admin/approvals/{id}/approve approval.not_pending': ownApproval('approve', 2),
  'POST /admin/approvals/{id}/reject approval.not_pending': ownApproval('reject', 2),
  'POST /admin/reconciliations reconciliation.no_statement': reconcile('nobody', '2026-01-05'),
  'POST /admin/reconciliations reconciliation.day_not_over': reconcile('sandbox', '2099-01-05'),
  'POST /admin/provider-statements reconciliation.provider_unknown': handIn('nobody', '2026-01-05'),
  'POST /admin/provider-statements reconciliation.day_not_over': handIn('sandbox', '2099-01-05'),
  'POST /sandbox/faults sandbox.nothing_booked': ({ app, admin }) =>
    app.api.post('sandbox/faults', { token: admin, body: { fault: 'doubled', id: randomUUID() } }),
  'POST /admin/reconciliation-exceptions/{id}/resolve reconciliation_exception.not_refundable': resolveException({
    resolution: 'refund_payer',
  }),
  'POST /admin/reconciliation-exceptions/{id}/resolve reconciliation_exception.going_back': async ({ app, admin }) => {
    const [id, endToEndId] = [await newException(app), await newReceivedPix(app)]
    await app.sql.query(
      "update reconciliation_exceptions set kind = 'missing_here', line_kind = 'charge', end_to_end_id = $2 where id = $1",
      [id, endToEndId],
    )
    await app.sql.query("update received_pix set status = 'refunded' where end_to_end_id = $1", [endToEndId])
    const body = { resolution: 'refund_payer', ...REASON }
    return app.api.post(`admin/reconciliation-exceptions/${id}/resolve`, { token: admin, body })
  },
  'POST /admin/reconciliation-exceptions/{id}/resolve reconciliation_exception.not_open': resolveException(
    { resolution: 'explain' },
    2,
  ),
  'POST /admin/reconciliation-exceptions/{id}/resolve reconciliation_exception.no_seller': resolveException({
    resolution: 'adjust',
  }),
  'POST /admin/reconciliation-exceptions/{id}/resolve reconciliation_exception.balance_insufficient': async (world) => {
    const { id: sellerId } = await sellerWith(world.app, 0)
    const id = await newException(world.app)
    await world.app.sql.query('update reconciliation_exceptions set seller_id = $2 where id = $1', [id, sellerId])
    const body = { resolution: 'adjust', ...REASON }
    // Not who approved the seller's company.
    const token = await anotherAdmin(world.app)
    return world.app.api.post(`admin/reconciliation-exceptions/${id}/resolve`, { token, body })
  },
  'POST /admin/treasury/payouts treasury.amount_exceeds_payable': ({ app, admin }) => payTreasury(app, admin),
  'POST /admin/treasury/payouts treasury.provider_away': ({ app, admin }) =>
    whileBalanceIs(app, AWAY, () => payTreasury(app, admin)),
  'POST /admin/approvals/{id}/approve treasury.provider_away': async ({ app, admin }) => {
    const approval = await newApproval(app, admin)
    await app.sql.query(
      `update approvals set kind = 'treasury_payout', seller_id = null, request = '{"amount": 1}' where id = $1`,
      [approval],
    )
    const token = await anotherAdmin(app)
    return whileBalanceIs(app, AWAY, () => app.api.post(`admin/approvals/${approval}/approve`, { token }))
  },
  'POST /admin/treasury/payouts treasury.unavailable': async () => {
    const onlyBoleto = await startTestApp({ BOLETO_PROVIDER: 'sandbox' })
    try {
      return await payTreasury(onlyBoleto, await adminToken(onlyBoleto))
    } finally {
      await onlyBoleto.close()
    }
  },
}

/** What only time brings about. */
export const lateRefusals: Refusals = {
  'POST /disputes/{id}/defense dispute.defense_too_late': async (world) => {
    const { app, seller } = world
    const dispute = await disputed(app, seller, (await paidPix(app, seller)).id)
    letDaysPass(world, 30)
    return app.api.post(`disputes/${dispute.id}/defense`, { token: seller.token, body: { text: 'It was sent.' } })
  },
  'POST /payments/{id}/refunds refund.too_late': async (world) => {
    const { id } = await paidPix(world.app, world.seller)
    letDaysPass(world, 91)
    return postRefund(world.app, world.seller, id)
  },
}
