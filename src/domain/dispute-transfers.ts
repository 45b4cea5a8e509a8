import { add, type Centavos, subtract } from './money.ts'
import type { PaymentMethod } from './payment.ts'
import { credit, debit, reversed, type Transfer, transfer } from './transfer.ts'
import { paidBack, unsettledSide } from './transfers.ts'

type Dispute = {
  sellerId: string
  disputeId: string
  /** Taken out of the payment's parts that wait for settlement. */
  fromPendingAmount: Centavos
  /** Taken out of what is available, which may fall below zero. */
  fromAvailableAmount: Centavos
}

type DisputeOpened = Dispute & {
  method: PaymentMethod
  /** The refund whose failure brought back money that the dispute claims: each of them blocks once more. */
  failedRefundId?: string
}

/**
 * A dispute blocks money that the seller could withdraw or soon will. The payment's own reserve stays where it is,
 * frozen, so only the rest is blocked. Forced: the seller may owe it.
 */
export const disputeOpened = (dispute: DisputeOpened): Transfer => {
  const { sellerId, disputeId, method, failedRefundId, fromPendingAmount, fromAvailableAmount } = dispute
  return transfer({
    sellerId,
    kind: 'dispute_opened',
    referenceType: failedRefundId === undefined ? 'dispute' : 'refund',
    referenceId: failedRefundId ?? disputeId,
    method,
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
    method,
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
    method,
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

type DisputeReversed = Omit<DisputeLost, 'feeAmount'> & {
  /** The charge of the platform that it gives back. */
  returnedFeeAmount: Centavos
}

/**
 * A dispute that the clock had given to the payer was won after all: the money comes back as that of a refund that
 * failed does, and with it what the platform had charged.
 */
export const disputeReversed = (dispute: DisputeReversed): Transfer => {
  const { sellerId, disputeId, method, fromPendingAmount, fromReservedAmount, fromAvailableAmount } = dispute
  const settledAmount = add(fromReservedAmount, fromAvailableAmount)
  return transfer({
    sellerId,
    kind: 'dispute_reversed',
    referenceType: 'dispute',
    referenceId: disputeId,
    method,
    description: 'Lost dispute won after all, money returned',
    postings: [
      credit('pending', fromPendingAmount),
      credit('reserved', fromReservedAmount),
      credit('available', add(fromAvailableAmount, dispute.returnedFeeAmount)),
      ...paidBack(method, fromPendingAmount, settledAmount).map(reversed),
      debit('fee_revenue', dispute.returnedFeeAmount),
    ],
  })
}
