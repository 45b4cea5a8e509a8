import { disputeLost, disputeWon } from '../../domain/dispute-transfers.ts'
import { NO_DRAWS } from '../../domain/draws.ts'
import { invariant } from '../../domain/invariant.ts'
import { add, smaller, ZERO } from '../../domain/money.ts'
import { paidStatus } from '../../domain/payment.ts'
import type { Transfer } from '../../domain/transfer.ts'
import type { EventType } from '../../events/event-types.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { DisputeState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import { paymentEventData } from '../payments/payments.view.ts'
import { consumeFrozen, cover, restoreParts, thaw } from './disputes.blocking.ts'
import type { Dispute } from './disputes.queries.ts'
import { disputeView } from './disputes.view.ts'

type Opening = Extract<DisputeState, { status: 'open' }>

/** What changed, for the sellers and for the books. Transfers are in the order in which they must be posted. */
export type DisputeChange = { payment: Payment; events: NewEvent[]; transfers: Transfer[] }

const REASON_MAX = 200

export const disputeEvent = async (
  tx: Repositories,
  type: Extract<EventType, `dispute.${string}`>,
  dispute: Dispute,
): Promise<NewEvent> => {
  return { type, sellerId: dispute.sellerId, data: disputeView(dispute, await tx.disputes.listFiles([dispute])) }
}

export const movePayment = async (tx: Repositories, payment: Payment, changes: Partial<Payment>, now: Date) => {
  const after: Payment = { ...payment, ...changes, updatedAt: now }
  await tx.payments.moveMany([{ from: payment.status, row: after }])
  return after
}

export type OpeningNotification = { provider: string; reference: string; state: Opening }

/** The payer claims money: it stands in for the claim from now on. */
export const openDispute = async (
  tx: Repositories,
  payment: Payment,
  { provider, reference, state }: OpeningNotification,
  { now, newId }: { now: Date; newId: NewId },
): Promise<DisputeChange> => {
  const { sellerId } = payment
  const nothing = { blockedAmount: ZERO, frozenReserveAmount: ZERO, fromPendingAmount: ZERO, fromAvailableAmount: ZERO }
  const undefended = { defense: null, defendedAt: null, defenseAttemptAt: null, defenseToldAt: null }
  const opened: Dispute = {
    ...nothing,
    ...undefended,
    sellerId,
    id: newId(),
    paymentId: payment.id,
    type: state.type,
    status: 'open',
    amount: smaller(state.amount, payment.paidAmount),
    draws: NO_DRAWS,
    reason: state.reason.slice(0, REASON_MAX),
    defenseRefusal: null,
    provider,
    providerReference: reference,
    respondBy: state.respondBy,
    feeAmount: await tx.disputeFees.findAmount(state.type),
    remindedAt: null,
    resolvedAt: null,
    resolvedBy: null,
    createdAt: now,
    updatedAt: now,
  }
  await tx.disputes.insert(opened)
  const filed = { provider, kind: 'dispute' as const, reference, sellerId, resourceId: opened.id }
  await tx.providerReferences.insertMany([filed])
  const { dispute, transfers } = await cover(tx, { payment, dispute: opened }, now)
  const after = await movePayment(tx, payment, { status: 'in_dispute' }, now)
  const told = { type: 'payment.disputed' as const, sellerId, data: paymentEventData(after) }
  return { payment: after, transfers, events: [await disputeEvent(tx, 'dispute.opened', dispute), told] }
}

/** Won, or withdrawn by the payer: everything goes back to where it came from. */
export const winDispute = async (
  tx: Repositories,
  dispute: Dispute,
  payment: Payment,
  now: Date,
): Promise<DisputeChange> => {
  const { sellerId, id: disputeId, fromPendingAmount, fromAvailableAmount, blockedAmount } = dispute
  await thaw(tx, dispute, now)
  const settledAmount = await restoreParts(tx, dispute, now)
  const amounts = { fromPendingAmount, fromAvailableAmount, settledAmount }
  const { refundedAmount } = payment
  const status = paidStatus(payment.paidAmount, { refundedAmount, lostAmount: await tx.disputes.sumLost(payment) })
  return {
    payment: await movePayment(tx, payment, { status }, now),
    transfers: blockedAmount === 0 ? [] : [disputeWon({ sellerId, disputeId, method: payment.method, ...amounts })],
    events: [await disputeEvent(tx, 'dispute.won', dispute)],
  }
}

/** Lost: what stood in for it goes to the payer, and the platform charges what it said when the dispute was opened. */
export const loseDispute = async (
  tx: Repositories,
  dispute: Dispute,
  payment: Payment,
  now: Date,
): Promise<DisputeChange> => {
  const { sellerId, id: disputeId, fromPendingAmount, fromAvailableAmount, feeAmount } = dispute
  const { method, paidAmount } = payment
  await consumeFrozen(tx, dispute, now)
  await thaw(tx, dispute, now)
  const takenAmount = add(dispute.blockedAmount, dispute.frozenReserveAmount)
  const refundedAmount = add(payment.refundedAmount, takenAmount)
  const status = paidStatus(paidAmount, { refundedAmount, lostAmount: await tx.disputes.sumLost(payment) })
  const after = await movePayment(tx, payment, { status, refundedAmount }, now)
  const amounts = { fromPendingAmount, fromAvailableAmount, fromReservedAmount: dispute.frozenReserveAmount }
  const { provider } = dispute
  const lost = () => ({ ...disputeLost({ sellerId, disputeId, method, ...amounts, feeAmount }), provider })
  const type = status === 'charged_back' ? ('payment.charged_back' as const) : ('payment.partially_refunded' as const)
  const told = { type, sellerId, data: paymentEventData(after) }
  return {
    payment: after,
    transfers: takenAmount === 0 && feeAmount === 0 ? [] : [lost()],
    events: [await disputeEvent(tx, 'dispute.lost', dispute), ...(takenAmount === 0 ? [] : [told])],
  }
}

/** Tells the sellers and posts the money of changes, last in their transaction. */
export const applyChanges = async (tx: Repositories, changes: readonly DisputeChange[], now: Date): Promise<void> => {
  await tx.events.add(
    changes.flatMap(({ events }) => events),
    now,
  )
  const posted = await tx.ledger.post(
    changes.flatMap(({ transfers }) => transfers),
    now,
  )
  invariant(
    posted.every((outcome) => outcome.posted),
    'the money of a dispute could not be booked',
  )
}
