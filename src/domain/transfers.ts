import type { LedgerAccount } from './ledger.ts'
import { add, type Centavos, subtract, ZERO } from './money.ts'
import type { PaymentMethod } from './payment.ts'
import { credit, debit, type Posting, reversed, type Transfer, transfer } from './transfer.ts'

export type { Transfer } from './transfer.ts'

/** Where the platform holds the money of a payment that has not settled: cards are owed by the acquirer. */
const unsettledSide = (method: PaymentMethod): LedgerAccount => (method === 'credit_card' ? 'receivable' : 'clearing')

type PaymentReceived = {
  sellerId: string
  paymentId: string
  method: PaymentMethod
  /** What the payer paid. */
  grossAmount: Centavos
  /** The platform's fee, kept out of it; at most the gross. */
  feeAmount: Centavos
  /** The net waits in `pending` for its settlement date. Cards always do. */
  settlesLater: boolean
}

/** A payer paid: the net is the seller's (available at once, or pending), the fee is the platform's revenue. */
export const paymentReceived = (payment: PaymentReceived): Transfer => {
  const { sellerId, paymentId, method, grossAmount, feeAmount } = payment
  const bucket = payment.settlesLater || method === 'credit_card' ? 'pending' : 'available'
  return transfer({
    sellerId,
    kind: 'payment_received',
    referenceType: 'payment',
    referenceId: paymentId,
    description: 'Payment received, less its fee',
    postings: [
      debit(unsettledSide(method), grossAmount),
      credit(bucket, subtract(grossAmount, feeAmount)),
      credit('fee_revenue', feeAmount),
    ],
  })
}

type PaymentSettled = {
  sellerId: string
  settlementId: string
  method: PaymentMethod
  /** What is left of this part's net after refunds and disputes. */
  netAmount: Centavos
  /** This part's share of the payment's fee. The acquirer of a card pays over both; other methods ignore it. */
  feeAmount: Centavos
}

/**
 * A settlement date came: pending money becomes available, and the acquirer of a card has paid it over.
 * A card's part of which refunds took all of the net still settles, with a net of zero, for its share of the fee.
 */
export const paymentSettled = ({ sellerId, settlementId, method, netAmount, feeAmount }: PaymentSettled): Transfer => {
  const paidOver = method === 'credit_card' ? add(netAmount, feeAmount) : ZERO
  return transfer({
    sellerId,
    kind: 'payment_settled',
    referenceType: 'settlement',
    referenceId: settlementId,
    description: 'Settlement of a payment',
    postings: [
      debit('pending', netAmount),
      credit('available', netAmount),
      credit('receivable', paidOver),
      debit('clearing', paidOver),
    ],
  })
}

type Hold = { sellerId: string; holdId: string; amount: Centavos }

/**
 * A share of money that has just become available is held back. Forced: that money came with the same payment, so it
 * is held also where the seller owes the platform.
 */
export const reserveHeld = ({ sellerId, holdId, amount }: Hold): Transfer =>
  transfer({
    sellerId,
    kind: 'reserve_held',
    referenceType: 'hold',
    referenceId: holdId,
    description: 'Reserve held back',
    postings: [debit('available', amount), credit('reserved', amount)],
    forced: true,
  })

/** What is left of a hold goes back to the seller. */
export const reserveReleased = ({ sellerId, holdId, amount }: Hold): Transfer =>
  transfer({
    sellerId,
    kind: 'reserve_released',
    referenceType: 'hold',
    referenceId: holdId,
    description: 'Reserve released',
    postings: [debit('reserved', amount), credit('available', amount)],
  })

/** Where the money of a refund comes from, in the order in which it is drawn. */
export type RefundParts = { fromPendingAmount: Centavos; fromReservedAmount: Centavos; fromAvailableAmount: Centavos }

type Refund = RefundParts & {
  sellerId: string
  refundId: string
  method: PaymentMethod
  /** The provider has already returned the money, so it cannot be refused. */
  forced?: boolean
}

// What never settled is owed less by the card acquirer; what did settle is paid back from the clearing account.
const paidBack = (method: PaymentMethod, unsettledAmount: Centavos, settledAmount: Centavos): Posting[] => [
  credit(unsettledSide(method), unsettledAmount),
  credit('clearing', settledAmount),
]

/** Money goes back to the payer: from the payment's pending parts, then its own reserve, then what is available. */
export const refundRequested = (refund: Refund): Transfer => {
  const { sellerId, refundId, method, fromPendingAmount, fromReservedAmount, fromAvailableAmount } = refund
  return transfer({
    sellerId,
    kind: 'refund_requested',
    referenceType: 'refund',
    referenceId: refundId,
    description: 'Refund to the payer',
    postings: [
      debit('pending', fromPendingAmount),
      debit('reserved', fromReservedAmount),
      debit('available', fromAvailableAmount),
      ...paidBack(method, fromPendingAmount, add(fromReservedAmount, fromAvailableAmount)),
    ],
    ...(refund.forced ? { forced: true } : {}),
  })
}

/** The provider could not refund: every part goes back to where it came from. */
export const refundFailed = (refund: Omit<Refund, 'forced'>): Transfer => ({
  ...undone(refundRequested(refund)),
  kind: 'refund_failed',
  description: 'Refund failed, money returned',
})

const undone = (original: Transfer): Transfer => ({ ...original, postings: original.postings.map(reversed) })

type Dispute = {
  sellerId: string
  disputeId: string
  /** Taken out of the payment's parts that wait for settlement. */
  fromPendingAmount: Centavos
  /** Taken out of what is available, which may fall below zero. */
  fromAvailableAmount: Centavos
}

type DisputeOpened = Dispute & {
  /** The refund whose failure brought back money that the dispute claims: each of them blocks once more. */
  failedRefundId?: string
}

/**
 * A dispute blocks money that the seller could withdraw or soon will. The payment's own reserve stays where it is,
 * frozen, so only the rest is blocked. Forced: the seller may owe it.
 */
export const disputeOpened = (dispute: DisputeOpened): Transfer => {
  const { sellerId, disputeId, failedRefundId, fromPendingAmount, fromAvailableAmount } = dispute
  return transfer({
    sellerId,
    kind: 'dispute_opened',
    referenceType: failedRefundId === undefined ? 'dispute' : 'refund',
    referenceId: failedRefundId ?? disputeId,
    description: 'Money blocked by a dispute, available or not',
    postings: [
      debit('pending', fromPendingAmount),
      debit('available', fromAvailableAmount),
      credit('blocked', add(fromPendingAmount, fromAvailableAmount)),
    ],
    forced: true,
  })
}

type DisputeWon = Dispute & {
  method: PaymentMethod
  /** What of `fromPendingAmount` came from parts whose date has passed since. */
  settledAmount: Centavos
}

/**
 * The dispute was won or withdrawn: blocked money goes back to where it came from. What would have settled meanwhile
 * is available at once, and the acquirer of a card has paid it over.
 */
export const disputeWon = (dispute: DisputeWon): Transfer => {
  const { sellerId, disputeId, method, fromPendingAmount, fromAvailableAmount, settledAmount } = dispute
  return transfer({
    sellerId,
    kind: 'dispute_won',
    referenceType: 'dispute',
    referenceId: disputeId,
    description: 'Dispute won, money unblocked',
    postings: [
      debit('blocked', add(fromPendingAmount, fromAvailableAmount)),
      credit('pending', subtract(fromPendingAmount, settledAmount)),
      credit('available', add(fromAvailableAmount, settledAmount)),
      credit(unsettledSide(method), settledAmount),
      debit('clearing', settledAmount),
    ],
  })
}

type DisputeLost = Dispute & {
  method: PaymentMethod
  /** Taken out of the payment's own frozen reserve. */
  fromReservedAmount: Centavos
  /** What the platform charges the seller for a lost dispute; zero for nothing. */
  feeAmount: Centavos
}

/** The dispute was lost: blocked and frozen money goes to the payer. Forced: the fee may take the seller below zero. */
export const disputeLost = (dispute: DisputeLost): Transfer => {
  const { sellerId, disputeId, method, fromPendingAmount, fromAvailableAmount, fromReservedAmount, feeAmount } = dispute
  return transfer({
    sellerId,
    kind: 'dispute_lost',
    referenceType: 'dispute',
    referenceId: disputeId,
    description: 'Dispute lost, money returned to the payer',
    postings: [
      debit('blocked', add(fromPendingAmount, fromAvailableAmount)),
      debit('reserved', fromReservedAmount),
      ...paidBack(method, fromPendingAmount, add(fromReservedAmount, fromAvailableAmount)),
      debit('available', feeAmount),
      credit('fee_revenue', feeAmount),
    ],
    forced: true,
  })
}

type Withdrawal = { sellerId: string; withdrawalId: string; amount: Centavos }

const withdrawalTransfer = (
  { sellerId, withdrawalId }: Pick<Withdrawal, 'sellerId' | 'withdrawalId'>,
  change: Pick<Transfer, 'kind' | 'description' | 'postings'>,
) => transfer({ sellerId, referenceType: 'withdrawal', referenceId: withdrawalId, ...change })

/** A withdrawal was accepted: its whole amount, fee included, is set aside. */
export const withdrawalRequested = ({ amount, ...withdrawal }: Withdrawal): Transfer =>
  withdrawalTransfer(withdrawal, {
    kind: 'withdrawal_requested',
    description: 'Withdrawal requested',
    postings: [debit('available', amount), credit('withdrawing', amount)],
  })

type PaidWithdrawal = Withdrawal & {
  /** Kept by the platform out of the amount. */
  feeAmount: Centavos
}

/** The payout arrived: the net left the clearing account, the fee is revenue. */
export const withdrawalCompleted = ({ amount, feeAmount, ...withdrawal }: PaidWithdrawal): Transfer =>
  withdrawalTransfer(withdrawal, {
    kind: 'withdrawal_completed',
    description: 'Withdrawal paid out, less its fee',
    postings: [
      debit('withdrawing', amount),
      credit('clearing', subtract(amount, feeAmount)),
      credit('fee_revenue', feeAmount),
    ],
  })

/** The withdrawal was rejected, canceled or refused by the bank before any money left: all of it goes back. */
export const withdrawalReversed = ({ amount, ...withdrawal }: Withdrawal): Transfer =>
  withdrawalTransfer(withdrawal, {
    kind: 'withdrawal_reversed',
    description: 'Withdrawal not paid out, money returned',
    postings: [debit('withdrawing', amount), credit('available', amount)],
  })

type ReturnedWithdrawal = {
  sellerId: string
  withdrawalId: string
  /** What had been sent and came back. */
  netAmount: Centavos
  /** The part of the fee that the platform gives back with it; zero when it keeps the fee. */
  returnedFeeAmount: Centavos
}

/** A bank sent a completed payout back. */
export const withdrawalReturned = ({ netAmount, returnedFeeAmount, ...withdrawal }: ReturnedWithdrawal): Transfer =>
  withdrawalTransfer(withdrawal, {
    kind: 'withdrawal_returned',
    description: 'Withdrawal returned by the bank',
    postings: [
      debit('clearing', netAmount),
      debit('fee_revenue', returnedFeeAmount),
      credit('available', add(netAmount, returnedFeeAmount)),
    ],
  })
