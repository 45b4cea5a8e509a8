import { isOpenDispute } from '../../domain/dispute.ts'
import { disputeOpened } from '../../domain/dispute-transfers.ts'
import { type Draw, drawFrom, holdSources, partDraws, partSources, totalOf } from '../../domain/draws.ts'
import { invariant } from '../../domain/invariant.ts'
import { add, type Centavos, smaller, subtract } from '../../domain/money.ts'
import { leftOf } from '../../domain/refund.ts'
import type { Transfer } from '../../domain/transfer.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import type { Dispute } from './disputes.queries.ts'

const freeze = async (tx: Repositories, dispute: Dispute, amount: Centavos, now: Date) => {
  const { sellerId, paymentId, draws } = dispute
  const holds = await tx.reserveHolds.lockByPayment(sellerId, paymentId)
  const drawn = drawFrom(amount, holdSources(holds, draws.holds))
  const held = new Set(holds.filter(({ status }) => status === 'held').map(({ id }) => id))
  for (const { id } of drawn.draws.filter((draw) => held.has(draw.id))) {
    const frozen = await tx.reserveHolds.move({ sellerId, id }, 'held', 'frozen', now)
    invariant(frozen, 'a locked hold was released by someone else')
  }
  return drawn
}

/**
 * Makes money of the seller stand in for a dispute of a locked payment: what the payer claims and has neither back nor
 * on its way back. The payment's own holds first, then its parts that wait, then what is available. What stands in for
 * it already is left as it is, so it is called again when a refund that was on its way has failed.
 */
export const cover = async (
  tx: Repositories,
  { payment, dispute, failedRefundId }: { payment: Payment; dispute: Dispute; failedRefundId?: string },
  now: Date,
): Promise<{ dispute: Dispute; transfers: Transfer[] }> => {
  const { sellerId, id: disputeId } = dispute
  const { method } = payment
  const claimed = smaller(dispute.amount, leftOf(payment, await tx.refunds.sumProcessing(payment)))
  const missing = subtract(claimed, dispute.blockedAmount, dispute.frozenReserveAmount)
  if (missing <= 0) return { dispute, transfers: [] }
  const fromHolds = await freeze(tx, dispute, missing, now)
  const parts = await tx.settlements.listWaiting(sellerId, payment.id)
  const fromParts = drawFrom(fromHolds.restAmount, partSources(parts))
  await tx.settlements.cancel(sellerId, fromParts.draws, now)
  const amounts = { fromPendingAmount: totalOf(fromParts.draws), fromAvailableAmount: fromParts.restAmount }
  const blockedAmount = add(amounts.fromPendingAmount, amounts.fromAvailableAmount)
  const after: Dispute = {
    ...dispute,
    blockedAmount: add(dispute.blockedAmount, blockedAmount),
    frozenReserveAmount: add(dispute.frozenReserveAmount, totalOf(fromHolds.draws)),
    fromPendingAmount: add(dispute.fromPendingAmount, amounts.fromPendingAmount),
    fromAvailableAmount: add(dispute.fromAvailableAmount, amounts.fromAvailableAmount),
    draws: {
      settlements: [...dispute.draws.settlements, ...fromParts.draws],
      holds: [...dispute.draws.holds, ...fromHolds.draws],
    },
    updatedAt: now,
  }
  const { blockedAmount: blocked, frozenReserveAmount, fromPendingAmount, fromAvailableAmount, draws } = after
  const standsIn = { blockedAmount: blocked, frozenReserveAmount, fromPendingAmount, fromAvailableAmount, draws }
  await tx.disputes.updateBlocked(dispute, standsIn, now)
  const cause = failedRefundId === undefined ? {} : { failedRefundId }
  const transfers = blockedAmount === 0 ? [] : [disputeOpened({ sellerId, disputeId, method, ...amounts, ...cause })]
  return { dispute: after, transfers }
}

/** As cover, for the dispute that runs on a locked payment. */
export const coverOpenDispute = async (
  tx: Repositories,
  payment: Payment,
  failedRefundId: string,
  now: Date,
): Promise<Transfer[]> => {
  const dispute = (await tx.disputes.lockByPayment(payment)).find(({ status }) => isOpenDispute(status))
  invariant(dispute !== undefined, 'a payment in dispute without an open dispute')
  return (await cover(tx, { payment, dispute, failedRefundId }, now)).transfers
}

const idsOf = (draws: readonly Draw[]): string[] => [...new Set(draws.map(({ id }) => id))]

/** Thaws what is left of the holds that stood in for a dispute: time releases them again. */
export const thaw = async (tx: Repositories, { sellerId, paymentId, draws }: Dispute, now: Date): Promise<void> => {
  const holds = await tx.reserveHolds.lockByPayment(sellerId, paymentId)
  const frozen = new Set(holds.filter(({ status }) => status === 'frozen').map(({ id }) => id))
  for (const id of idsOf(draws.holds).filter((each) => frozen.has(each))) {
    const thawed = await tx.reserveHolds.move({ sellerId, id }, 'frozen', 'held', now)
    invariant(thawed, 'a frozen hold was moved by someone else')
  }
}

/** Takes what they stood in for out of the frozen holds of a lost dispute. */
export const consumeFrozen = async (tx: Repositories, { sellerId, draws }: Dispute, now: Date): Promise<void> => {
  for (const { id, amount } of draws.holds) {
    const consumed = await tx.reserveHolds.consume(sellerId, id, amount, now)
    invariant(consumed, 'a frozen hold was released')
  }
}

/** Gives parts that still wait back what a dispute took. Answers what came from parts whose date has passed. */
export const restoreParts = async (tx: Repositories, dispute: Dispute, now: Date): Promise<Centavos> => {
  const { sellerId, paymentId, draws } = dispute
  const waiting = await tx.settlements.listWaiting(sellerId, paymentId)
  const { back, passed } = partDraws(draws.settlements, new Set(waiting.map(({ id }) => id)))
  await tx.settlements.restore(sellerId, back, now)
  return totalOf(passed)
}
