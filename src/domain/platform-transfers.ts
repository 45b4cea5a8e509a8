import { invariant } from './invariant.ts'
import type { LedgerAccount } from './ledger.ts'
import { type Centavos, negate } from './money.ts'
import { credit, debit, type Transfer, transfer } from './transfer.ts'

/** Accounts that a correction of a seller's balance may be made at the expense of, or in favour of. */
export const ADJUSTMENT_ACCOUNTS = ['losses', 'fee_revenue', 'provider_cost', 'clearing'] as const
export type AdjustmentAccount = (typeof ADJUSTMENT_ACCOUNTS)[number]

/** `write_off`: a debt is given up. `recovery`: money of a seller goes to what was given up. */
export const ADJUSTMENT_KINDS = ['correction', 'write_off', 'recovery'] as const

type Adjustment = {
  sellerId: string
  adjustmentId: string
  /** Positive: the seller gets it. Negative: it is taken from them. Never zero. */
  amount: Centavos
}

const ofAdjustment = (
  { sellerId, adjustmentId, amount }: Adjustment,
  against: LedgerAccount,
  change: Pick<Transfer, 'kind' | 'description' | 'forced'>,
): Transfer =>
  transfer({
    sellerId,
    referenceType: 'adjustment',
    referenceId: adjustmentId,
    method: null,
    postings: [
      { account: 'available', amount },
      { account: against, amount: negate(amount) },
    ],
    ...change,
  })

/** A person corrects a seller's balance. Forced where it is to be taken also if they do not have it. */
export const adjustmentPosted = (adjustment: Adjustment & { against: AdjustmentAccount; forced?: boolean }): Transfer =>
  ofAdjustment(adjustment, adjustment.against, {
    kind: 'adjustment_posted',
    description: adjustment.amount > 0 ? 'Adjustment in your favour' : 'Adjustment',
    ...(adjustment.forced ? { forced: true } : {}),
  })

/** What a seller owes and will not pay is the platform's loss. `amount` is what they owe. */
export const lossWrittenOff = (adjustment: Adjustment): Transfer => {
  invariant(adjustment.amount > 0, 'a debt is written off by a positive amount')
  return ofAdjustment(adjustment, 'losses', { kind: 'loss_written_off', description: 'Debt written off' })
}

/** Money of a seller goes to what was written off of them before. `amount` is what is taken, as a positive number. */
export const lossRecovered = ({ amount, ...adjustment }: Adjustment): Transfer => {
  invariant(amount > 0, 'a loss is recovered by a positive amount')
  return ofAdjustment({ ...adjustment, amount: negate(amount) }, 'losses', {
    kind: 'loss_recovered',
    description: 'Recovery of a debt that was written off',
  })
}

/** The book of the platform itself, which is nobody's: what it takes out of what it earned. */
export const PLATFORM_BOOK_ID = '00000000-0000-7000-8000-000000000001'

type TreasuryPayout = { payoutId: string; amount: Centavos }

const ofTreasury = (payoutId: string, change: Pick<Transfer, 'kind' | 'description' | 'postings'>): Transfer =>
  transfer({
    sellerId: PLATFORM_BOOK_ID,
    referenceType: 'treasury_payout',
    referenceId: payoutId,
    method: null,
    ...change,
  })

/** The platform takes out what it earned: booked before it is sent, so that it is never taken twice. */
export const treasuryPaidOut = ({ payoutId, amount }: TreasuryPayout): Transfer =>
  ofTreasury(payoutId, {
    kind: 'treasury_paid_out',
    description: 'Payout of what the platform earned',
    postings: [debit('treasury', amount), credit('clearing', amount)],
  })

/** A payout of the platform did not arrive. */
export const treasuryReturned = ({ payoutId, amount }: TreasuryPayout): Transfer =>
  ofTreasury(payoutId, {
    kind: 'treasury_returned',
    description: 'Payout of the platform came back',
    postings: [debit('clearing', amount), credit('treasury', amount)],
  })

type Resolution = {
  /** Whose book; the platform's own where it is nobody's. */
  sellerId: string
  exceptionId: string
  /** What the provider has more than the books say, negative for less. Never zero. */
  amount: Centavos
  /** Whose it is, or at whose expense. */
  against: LedgerAccount
  /** Whether a seller's bucket may fall below zero by it. */
  forced?: boolean
}

/** A difference between the provider and the books is booked as what it was found to be. */
export const exceptionResolved = ({ sellerId, exceptionId, amount, against, forced }: Resolution): Transfer =>
  transfer({
    sellerId,
    kind: 'exception_resolved',
    referenceType: 'exception',
    referenceId: exceptionId,
    method: null,
    description: 'Correction after reconciliation with the provider',
    postings: [
      { account: 'clearing', amount: negate(amount) },
      { account: against, amount },
    ],
    ...(forced ? { forced: true } : {}),
  })

type PayerRefund = { payerRefundId: string; amount: Centavos }

const ofPayerRefund = (payerRefundId: string, change: Pick<Transfer, 'kind' | 'description' | 'postings'>): Transfer =>
  transfer({
    sellerId: PLATFORM_BOOK_ID,
    referenceType: 'payer_refund',
    referenceId: payerRefundId,
    method: null,
    ...change,
  })

/** Money that came in and is nobody's here is on its way back: it lies at the provider, and is owed to who paid it. */
export const payerRefundRequested = ({ payerRefundId, amount }: PayerRefund): Transfer =>
  ofPayerRefund(payerRefundId, {
    kind: 'payer_refund_requested',
    description: 'Money that came in for nothing goes back to its payer',
    postings: [debit('clearing', amount), credit('withdrawing', amount)],
  })

/** It is back with its payer. */
export const payerRefundCompleted = ({ payerRefundId, amount }: PayerRefund): Transfer =>
  ofPayerRefund(payerRefundId, {
    kind: 'payer_refund_completed',
    description: 'Money that came in for nothing is back with its payer',
    postings: [debit('withdrawing', amount), credit('clearing', amount)],
  })

/** The provider would not give it back: what to do about it is open again. */
export const payerRefundFailed = ({ payerRefundId, amount }: PayerRefund): Transfer =>
  ofPayerRefund(payerRefundId, {
    kind: 'payer_refund_failed',
    description: 'Money that came in for nothing could not go back to its payer',
    postings: [debit('withdrawing', amount), credit('clearing', amount)],
  })
