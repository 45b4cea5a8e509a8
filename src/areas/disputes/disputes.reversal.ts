import { disputeReversed } from '../../domain/dispute-transfers.ts'
import { partDraws, totalOf } from '../../domain/draws.ts'
import { add, subtract, ZERO } from '../../domain/money.ts'
import { paidStatus } from '../../domain/payment.ts'
import { canHoldAgain } from '../../domain/reserve-hold.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import type { ReserveHold } from '../reserves/reserve-holds.repository.ts'
import { reserveHoldView } from '../reserves/reserves.view.ts'
import { restoreParts } from './disputes.blocking.ts'
import { type DisputeChange, disputeEvent, movePayment } from './disputes.outcome.ts'
import type { Dispute } from './disputes.queries.ts'

/** New holds for what was consumed of holds that nothing has released; the old ones have ended. */
const holdAgain = async (tx: Repositories, { sellerId, paymentId, draws }: Dispute, now: Date, newId: NewId) => {
  const holds = await tx.reserveHolds.lockByPayment(sellerId, paymentId)
  const running = new Map(holds.filter((hold) => canHoldAgain(hold, now)).map((hold) => [hold.id, hold]))
  const { back } = partDraws(draws.holds, new Set(running.keys()))
  const again = back.flatMap(({ id, amount }): ReserveHold[] => {
    const old = running.get(id)
    if (old === undefined) return []
    const state = { amount, releasedAmount: ZERO, consumedAmount: ZERO, status: 'held' as const }
    return [{ ...old, ...state, id: newId(), heldAt: now, createdAt: now, updatedAt: now }]
  })
  await tx.reserveHolds.insert(again)
  return { again, reservedAmount: totalOf(back) }
}

/**
 * A dispute that the clock had given to the payer was won, or withdrawn, after all. What would have settled or been
 * released meanwhile is available at once; the charge for the loss is given back. `dispute` is the moved one.
 */
export const reverseDispute = async (
  tx: Repositories,
  dispute: Dispute,
  payment: Payment,
  { now, newId }: { now: Date; newId: NewId },
): Promise<DisputeChange> => {
  const { sellerId, id: disputeId, feeAmount } = dispute
  const takenAmount = add(dispute.blockedAmount, dispute.frozenReserveAmount)
  const settledAmount = await restoreParts(tx, dispute, now)
  const { again, reservedAmount } = await holdAgain(tx, dispute, now, newId)
  const pendingAmount = subtract(dispute.fromPendingAmount, settledAmount)
  const refundedAmount = subtract(payment.refundedAmount, takenAmount)
  // Another dispute may run by now, and goes on.
  const gone = { refundedAmount, lostAmount: await tx.disputes.sumLost(payment) }
  const status = payment.status === 'in_dispute' ? payment.status : paidStatus(payment.paidAmount, gone)
  const amounts = {
    fromPendingAmount: pendingAmount,
    fromReservedAmount: reservedAmount,
    fromAvailableAmount: subtract(takenAmount, pendingAmount, reservedAmount),
  }
  const back = () => ({
    ...disputeReversed({ sellerId, disputeId, method: payment.method, ...amounts, returnedFeeAmount: feeAmount }),
    provider: dispute.provider,
  })
  const held = again.map((hold) => ({ type: 'reserve.held' as const, sellerId, data: reserveHoldView(hold) }))
  return {
    payment: await movePayment(tx, payment, { status, refundedAmount }, now),
    transfers: takenAmount === 0 && feeAmount === 0 ? [] : [back()],
    events: [await disputeEvent(tx, 'dispute.won', dispute), ...held],
  }
}
