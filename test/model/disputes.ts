import { type Dispute, type Heard, move, must, type Payment, type Refund, type Seller } from './book.ts'
import {
  consume,
  hearRefund,
  isOnItsWay,
  lastReleasedFirst,
  leftOf,
  paidStatus,
  takeFromParts,
  totalOf,
} from './refunds.ts'
import { holdAgain } from './reserves.ts'

const isRunning = ({ status }: Dispute): boolean => status === 'open' || status === 'under_review'

const runningOf = (seller: Seller, payment: Payment): Dispute | undefined =>
  seller.disputes.find((dispute) => dispute.payment === payment && isRunning(dispute))

/** Freezes the payment's own holds until they stand for an amount. Answers what they do not cover. */
const freeze = (dispute: Dispute, amount: number): number => {
  let rest = amount
  for (const hold of lastReleasedFirst(dispute.payment.holds)) {
    if (hold.amount === 0) continue
    const claimed = totalOf(dispute.draws.holds.filter(([claimedHold]) => claimedHold === hold))
    const some = Math.min(rest, hold.amount - claimed)
    if (some === 0) continue
    hold.status = 'frozen'
    dispute.draws.holds.push([hold, some])
    dispute.frozenAmount += some
    rest -= some
  }
  return rest
}

/** Lets the seller's money stand for what the payer claims and has neither back nor on its way back. */
const cover = (seller: Seller, dispute: Dispute): void => {
  const { payment } = dispute
  const claimed = Math.min(dispute.amount, leftOf(seller, payment))
  const missing = claimed - dispute.blockedAmount - dispute.frozenAmount
  if (missing <= 0) return
  const { taken, restAmount } = takeFromParts(payment, freeze(dispute, missing))
  const pending = totalOf(taken)
  dispute.draws.parts.push(...taken)
  dispute.pendingAmount += pending
  dispute.availableAmount += restAmount
  dispute.blockedAmount += pending + restAmount
  move(seller, { pending: -pending, available: -restAmount, blocked: pending + restAmount })
}

export type Opening = Pick<Dispute, 'id' | 'reference' | 'amount' | 'feeAmount' | 'respondByMs'>

/** A payer claims money. What cannot be disputed (yet) is answered by what becomes of the callback. */
export const openDispute = (seller: Seller, payment: Payment, opening: Opening): Heard => {
  if (seller.disputes.some(({ reference }) => reference === opening.reference)) return 'ignored'
  if (payment.status === 'refunded' || payment.status === 'charged_back') return 'ignored'
  if (payment.status === 'in_dispute') return 'stays'
  if (payment.status !== 'paid' && payment.status !== 'partially_refunded') return 'waits'
  const dispute: Dispute = {
    ...opening,
    payment,
    amount: Math.min(opening.amount, payment.paidAmount),
    status: 'open',
    blockedAmount: 0,
    frozenAmount: 0,
    pendingAmount: 0,
    availableAmount: 0,
    isLostByClock: false,
    draws: { parts: [], holds: [] },
  }
  seller.disputes.push(dispute)
  cover(seller, dispute)
  payment.status = 'in_dispute'
  return 'done'
}

const thaw = ({ draws }: Dispute): void => {
  for (const [hold] of draws.holds) if (hold.status === 'frozen') hold.status = 'held'
}

const win = (seller: Seller, dispute: Dispute): void => {
  const { payment, blockedAmount } = dispute
  thaw(dispute)
  let [pending, settled] = [0, 0]
  for (const [part, amount] of dispute.draws.parts) {
    if (part.status === 'waiting') {
      part.takenAmount -= amount
      pending += amount
    } else settled += amount
  }
  must(pending + settled === dispute.pendingAmount, 'what a dispute took of the parts')
  const paidOver = payment.method === 'credit_card' ? settled : 0
  const available = dispute.availableAmount + settled
  move(seller, { blocked: -blockedAmount, pending, available, receivable: paidOver, clearing: -paidOver })
  payment.status = paidStatus(seller, payment)
}

const lose = (seller: Seller, dispute: Dispute): void => {
  const { payment, blockedAmount, frozenAmount, feeAmount } = dispute
  dispute.status = 'lost'
  for (const [hold, amount] of dispute.draws.holds) consume(hold, amount)
  thaw(dispute)
  const taken = blockedAmount + frozenAmount
  const unsettled = payment.method === 'credit_card' ? dispute.pendingAmount : 0
  move(seller, {
    blocked: -blockedAmount,
    reserved: -frozenAmount,
    available: -feeAmount,
    receivable: unsettled,
    clearing: taken - unsettled,
    fee_revenue: feeAmount,
  })
  payment.refundedAmount += taken
  payment.status = paidStatus(seller, payment)
}

/** Nobody answered in time: the payer gets the money, once no refund is on its way any more. */
export const loseByClock = (seller: Seller, nowMs: number): void => {
  for (const dispute of seller.disputes) {
    if (dispute.status !== 'open' || dispute.respondByMs >= nowMs || isOnItsWay(seller, dispute.payment)) continue
    lose(seller, dispute)
    dispute.isLostByClock = true
  }
}

/** The acquirer turns what the clock had decided: as a refund that failed, and the fee comes back with it. */
const reverse = (seller: Seller, dispute: Dispute, verdict: string, nowMs: number): void => {
  const { payment, draws, feeAmount } = dispute
  dispute.status = verdict
  dispute.isLostByClock = false
  const taken = dispute.blockedAmount + dispute.frozenAmount
  let pending = 0
  for (const [part, amount] of draws.parts) {
    if (part.status !== 'waiting') continue
    part.takenAmount -= amount
    pending += amount
  }
  const reserved = holdAgain(draws.holds, nowMs)
  const owed = payment.method === 'credit_card' ? pending : 0
  const available = taken - pending - reserved + feeAmount
  move(seller, { pending, reserved, available, receivable: -owed, clearing: owed - taken, fee_revenue: -feeAmount })
  payment.refundedAmount -= taken
  if (payment.status !== 'in_dispute') payment.status = paidStatus(seller, payment)
}

/** The acquirer decides a dispute. One that is lost while a refund is on its way waits for the refund. */
export const hearVerdict = (seller: Seller, dispute: Dispute, verdict: string, nowMs: number): Heard => {
  if (dispute.isLostByClock) {
    if (verdict === 'lost') dispute.isLostByClock = false
    else reverse(seller, dispute, verdict, nowMs)
    return 'done'
  }
  if (!isRunning(dispute)) return 'ignored'
  if (verdict === 'lost' && isOnItsWay(seller, dispute.payment)) return 'stays'
  if (verdict === 'lost') lose(seller, dispute)
  else {
    dispute.status = verdict
    win(seller, dispute)
  }
  return 'done'
}

/** As hearRefund; what a running dispute claims of the money that a failed refund brought back is blocked at once. */
export const hearRefundUnderDispute = (seller: Seller, refund: Refund, status: string, nowMs: number): boolean => {
  const hasChanged = hearRefund(seller, refund, status, nowMs)
  const dispute = runningOf(seller, refund.payment)
  if (hasChanged && status === 'failed' && dispute) cover(seller, dispute)
  return hasChanged
}
