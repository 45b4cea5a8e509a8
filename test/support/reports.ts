import type { Dispute } from '../../src/areas/disputes/disputes.queries.ts'
import { repairDailyTotals } from '../../src/daily-totals/daily-totals.verify.ts'
import { createDatabase } from '../../src/db/client.ts'
import { disputeLost, disputeOpened } from '../../src/domain/dispute-transfers.ts'
import { centavos } from '../../src/domain/money.ts'
import type { PaymentMethod } from '../../src/domain/payment.ts'
import { adjustmentPosted, lossWrittenOff } from '../../src/domain/platform-transfers.ts'
import { credit, debit, type Transfer, transfer } from '../../src/domain/transfer.ts'
import { refundFailed, refundRequested, withdrawalReturned } from '../../src/domain/transfers.ts'
import type { TestApp } from './app.ts'
import { adminToken, type Seller } from './factories.ts'
import { createPayment, pay } from './payments.ts'
import { request } from './withdrawals.ts'

const DAY_MS = 86_400_000
const ZERO = centavos(0)

export const advanceDays = (app: TestApp, days: number): void =>
  app.clock.setOffsetMs(app.clock.offsetMs() + days * DAY_MS)

/** Takes everything that has changed into the totals. */
export const rollUp = async (app: TestApp): Promise<void> => {
  while ((await app.services.jobs.rollUpDailyTotals.runOnce()) > 0);
}

/** Counts again what a test has written past the platform. */
export const recount = (app: TestApp): Promise<number> => repairDailyTotals(createDatabase(app.sql))

const CUSTOMER = { name: 'Francisco da Silva', document: '529.982.247-25' }
const EXTRAS = {
  pix: {},
  boleto: { customer: CUSTOMER },
  credit_card: { customer: CUSTOMER, cardToken: 'tok_sandbox_0001' },
} as const

type NewPayment = { method?: keyof typeof EXTRAS; amount: number }

/** A payment that was paid right away. */
export const paidPayment = async (app: TestApp, seller: Seller, { method = 'pix', amount }: NewPayment) => {
  const payment = await createPayment(app, seller, { method, amount, ...EXTRAS[method] })
  if (payment.status !== 'paid') await pay(app, seller, payment.id)
  return payment
}

/** Posts transfers now and insists that each is posted. */
export const post = async (app: TestApp, transfers: readonly Transfer[]): Promise<void> => {
  const outcomes = await app.services.transact((tx) => tx.ledger.post(transfers, app.clock.now()))
  if (!outcomes.every(({ posted }) => posted)) throw new Error('a transfer was not posted')
}

/** Books a refund of what is available; a failed one comes back at once. */
export const bookRefund = (app: TestApp, sellerId: string, amount: number, failed = false): Promise<void> => {
  const refund = {
    sellerId,
    refundId: app.services.newId(),
    method: 'pix' as const,
    fromPendingAmount: ZERO,
    fromReservedAmount: ZERO,
    fromAvailableAmount: centavos(amount),
    forced: true,
  }
  return post(app, [refundRequested(refund), ...(failed ? [refundFailed(refund)] : [])])
}

type NewDispute = {
  paymentId: string
  method?: PaymentMethod
  amount: number
  feeAmount: number
  status?: 'open' | 'lost'
}

/** A dispute of a payment, and where it was lost, what that costs. */
export const bookDispute = async (app: TestApp, sellerId: string, dispute: NewDispute): Promise<void> => {
  const { paymentId, method = 'pix', amount, feeAmount, status = 'lost' } = dispute
  const id = app.services.newId()
  const now = app.clock.now()
  const row: Dispute = {
    sellerId,
    id,
    paymentId,
    type: 'med',
    status,
    amount: centavos(amount),
    blockedAmount: centavos(amount),
    frozenReserveAmount: ZERO,
    fromPendingAmount: ZERO,
    fromAvailableAmount: centavos(amount),
    draws: { settlements: [], holds: [] },
    reason: 'fraud',
    defense: null,
    defendedAt: null,
    defenseAttemptAt: null,
    defenseToldAt: null,
    defenseRefusal: null,
    feeAmount: centavos(feeAmount),
    provider: 'sandbox',
    providerReference: id,
    respondBy: now,
    remindedAt: null,
    resolvedAt: null,
    resolvedBy: null,
    createdAt: now,
    updatedAt: now,
  }
  await app.services.transact((tx) => tx.disputes.insert(row))
  const parts = { fromPendingAmount: ZERO, fromReservedAmount: ZERO, fromAvailableAmount: centavos(amount) }
  await post(app, [disputeOpened({ sellerId, disputeId: id, method, ...parts })])
  if (status === 'open') return
  await post(app, [disputeLost({ sellerId, disputeId: id, method, ...parts, feeAmount: centavos(feeAmount) })])
}

/** A withdrawal that an administrator approves, and that arrives. */
export const completedWithdrawal = async (app: TestApp, seller: Seller, amount: number): Promise<string> => {
  const { status, body, text } = await request(app, seller, { amount })
  if (status !== 201) throw new Error(`the server answered ${status}: ${text}`)
  if (body.status === 'pending_approval') {
    await app.api.post(`admin/withdrawals/${body.id}/approve`, { token: await adminToken(app) })
  }
  for (const { runOnce } of [app.services.jobs.payWithdrawals, app.services.jobs.reconcilePayouts]) await runOnce()
  await app.api.post(`sandbox/withdrawals/${body.id}/settle`, { token: seller.token, body: { outcome: 'completed' } })
  const after = await app.api.get(`withdrawals/${body.id}`, { token: seller.token })
  if (after.body.status !== 'completed') throw new Error(`the withdrawal is ${after.body.status}`)
  return body.id
}

/** What the provider charged for a payment. */
export const bookProviderCost = (app: TestApp, sellerId: string, amount: number): Promise<void> =>
  post(app, [
    transfer({
      sellerId,
      kind: 'payment_settled',
      referenceType: 'settlement',
      referenceId: app.services.newId(),
      method: null,
      description: 'Cost of the provider',
      postings: [debit('provider_cost', centavos(amount)), credit('clearing', centavos(amount))],
    }),
  ])

/** What is taken from a seller makes them owe it, and is given up. */
export const bookLoss = (app: TestApp, sellerId: string, amount: number): Promise<void> => {
  const [taken, given] = [app.services.newId(), app.services.newId()]
  const gone = { sellerId, adjustmentId: taken, amount: centavos(-amount), against: 'clearing' as const, forced: true }
  return post(app, [
    adjustmentPosted(gone),
    lossWrittenOff({ sellerId, adjustmentId: given, amount: centavos(amount) }),
  ])
}

/** A bank sends a payout back, and the platform gives back its fee with it. */
export const bookReturn = (
  app: TestApp,
  sellerId: string,
  withdrawalId: string,
  netAmount: number,
  feeAmount: number,
) =>
  post(app, [
    withdrawalReturned({
      sellerId,
      withdrawalId,
      netAmount: centavos(netAmount),
      returnedFeeAmount: centavos(feeAmount),
    }),
  ])
