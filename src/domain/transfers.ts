import type { LedgerAccount } from './ledger.ts'
import { add, type Centavos, subtract, ZERO } from './money.ts'
import type { PaymentMethod } from './payment.ts'
import { credit, debit, type Posting, reversed, type Transfer, transfer } from './transfer.ts'

export type { Transfer } from './transfer.ts'

/** Where the platform holds the money of a payment that has not settled: cards are owed by the acquirer. */
export const unsettledSide = (method: PaymentMethod): LedgerAccount =>
  method === 'credit_card' ? 'receivable' : 'clearing'

type PaymentReceived = {
  sellerId: string
  paymentId: string
  method: PaymentMethod
  /** What the payer paid. */
  grossAmount: Centavos
  /** The platform's fee, kept out of it; at most the gross. */
  feeAmount: Centavos
  /** What the provider keeps of it for itself; nothing where its costs are not known. */
  costAmount?: Centavos
  /** The net waits in `pending` for its settlement date. Cards always do. */
  settlesLater: boolean
}

/**
 * A payer paid: the net is the seller's (available at once, or pending), the fee is the platform's revenue. What it costs at
 * the provider is the platform's, and lies there no more.
 */
export const paymentReceived = (payment: PaymentReceived): Transfer => {
  const { sellerId, paymentId, method, grossAmount, feeAmount, costAmount = ZERO } = payment
  const bucket = payment.settlesLater || method === 'credit_card' ? 'pending' : 'available'
  return transfer({
    sellerId,
    kind: 'payment_received',
    referenceType: 'payment',
    referenceId: paymentId,
    method,
    description: 'Payment received, less its fee',
    postings: [
      debit(unsettledSide(method), grossAmount),
      credit(bucket, subtract(grossAmount, feeAmount)),
      credit('fee_revenue', feeAmount),
      debit('provider_cost', costAmount),
      credit('clearing', costAmount),
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
    method,
    description: 'Settlement of a payment',
    postings: [
      debit('pending', netAmount),
      credit('available', netAmount),
      credit('receivable', paidOver),
      debit('clearing', paidOver),
    ],
  })
}

type Hold = { sellerId: string; holdId: string; method: PaymentMethod; amount: Centavos }

/**
 * A share of money that has just become available is held back. Forced: that money came with the same payment, so it
 * is held also where the seller owes the platform.
 */
export const reserveHeld = ({ sellerId, holdId, method, amount }: Hold): Transfer =>
  transfer({
    sellerId,
    kind: 'reserve_held',
    referenceType: 'hold',
    referenceId: holdId,
    method,
    description: 'Reserve held back',
    postings: [debit('available', amount), credit('reserved', amount)],
    forced: true,
  })

/** What is left of a hold goes back to the seller. */
export const reserveReleased = ({ sellerId, holdId, method, amount }: Hold): Transfer =>
  transfer({
    sellerId,
    kind: 'reserve_released',
    referenceType: 'hold',
    referenceId: holdId,
    method,
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

/** The legs of money that goes back to a payer: what never settled is owed less by the card acquirer, the rest is cleared. */
export const paidBack = (method: PaymentMethod, unsettledAmount: Centavos, settledAmount: Centavos): Posting[] => [
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
    method,
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

type Withdrawal = { sellerId: string; withdrawalId: string; amount: Centavos }

const withdrawalTransfer = (
  { sellerId, withdrawalId }: Pick<Withdrawal, 'sellerId' | 'withdrawalId'>,
  change: Pick<Transfer, 'kind' | 'description' | 'postings'>,
) => transfer({ sellerId, referenceType: 'withdrawal', referenceId: withdrawalId, method: null, ...change })

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
