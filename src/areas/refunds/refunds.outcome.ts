import type { FastifyBaseLogger } from 'fastify'
import { partDraws, totalOf } from '../../domain/draws.ts'
import { invariant } from '../../domain/invariant.ts'
import { add, ZERO } from '../../domain/money.ts'
import { paidStatus } from '../../domain/payment.ts'
import { canHoldAgain } from '../../domain/reserve-hold.ts'
import type { Transfer } from '../../domain/transfer.ts'
import { refundFailed } from '../../domain/transfers.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { NotificationOutcome } from '../../providers/notification-routing.ts'
import type { RefundState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import { paymentEventData } from '../payments/payments.view.ts'
import type { ReserveHold } from '../reserves/reserve-holds.repository.ts'
import { reserveHoldView } from '../reserves/reserves.view.ts'
import type { Refund, RefundKey } from './refunds.repository.ts'
import { refundView } from './refunds.view.ts'

/** What a provider says about one refund. */
export type RefundNews = RefundKey & { state: RefundState }

/** What happened, for the sellers and for the books. Transfers are in the order in which they must be posted. */
type Effects = { events: NewEvent[]; transfers: Transfer[] }

type FinalState = Exclude<RefundState, { status: 'processing' }>

export type OutcomeDependencies = {
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error'>
  /** Blocks what a running dispute claims of the money that a failed refund of its payment has brought back. */
  coverOpenDispute: (tx: Repositories, payment: Payment, failedRefundId: string, now: Date) => Promise<Transfer[]>
}

const REASON_MAX = 200

/** Returns what a failed refund had taken: to parts that still wait, to holds by a new one, else to `available`. */
const giveBack = async (tx: Repositories, refund: Refund, now: Date, newId: NewId) => {
  const { sellerId, paymentId, draws } = refund
  const waiting = await tx.settlements.listWaiting(sellerId, paymentId)
  const parts = partDraws(draws.settlements, new Set(waiting.map(({ id }) => id)))
  await tx.settlements.restore(sellerId, parts.back, now)
  const consumed = await tx.reserveHolds.lockByPayment(sellerId, paymentId)
  const running = new Map(consumed.filter((hold) => canHoldAgain(hold, now)).map((hold) => [hold.id, hold]))
  const reserved = partDraws(draws.holds, new Set(running.keys()))
  const holds = reserved.back.flatMap(({ id, amount }): ReserveHold[] => {
    const old = running.get(id)
    if (old === undefined) return []
    const state = { amount, releasedAmount: ZERO, consumedAmount: ZERO, status: 'held' as const }
    return [{ ...old, ...state, id: newId(), heldAt: now, createdAt: now, updatedAt: now }]
  })
  await tx.reserveHolds.insert(holds)
  const overdueAmount = add(totalOf(parts.passed), totalOf(reserved.passed))
  return {
    holds,
    amounts: {
      fromPendingAmount: totalOf(parts.back),
      fromReservedAmount: totalOf(reserved.back),
      fromAvailableAmount: add(refund.fromAvailableAmount, overdueAmount),
    },
  }
}

const moved = async (tx: Repositories, refund: Refund, state: FinalState, now: Date): Promise<Refund> => {
  const reason = state.status === 'failed' ? (state.reason?.slice(0, REASON_MAX) ?? null) : null
  const after = await tx.refunds.move(refund, state.status, reason, now)
  invariant(after !== undefined, 'a locked refund was moved by someone else')
  return after
}

/** Counts a completed refund on its locked payment. */
export const countRefund = async (tx: Repositories, refund: Refund, payment: Payment, now: Date) => {
  const refundedAmount = add(payment.refundedAmount, refund.amount)
  const gone = { refundedAmount, lostAmount: await tx.disputes.sumLost(payment) }
  const reached = paidStatus(payment.paidAmount, gone)
  // A dispute that runs goes on; what it leaves behind is seen when it ends.
  const status = payment.status === 'in_dispute' ? payment.status : reached
  const after: Payment = { ...payment, status, refundedAmount, updatedAt: now }
  await tx.payments.moveMany([{ from: payment.status, row: after }])
  const type = reached === 'paid' ? 'payment.partially_refunded' : (`payment.${reached}` as const)
  return {
    payment: after,
    events: [{ type, sellerId: after.sellerId, data: paymentEventData(after) }],
    transfers: [],
  }
}

/**
 * Applies what providers say about refunds, in order, in one transaction: state, money and events. Whatever comes
 * again, or too late, changes nothing. Answers one outcome each; `unmatched` where there is no such refund.
 */
export const createRefundOutcomes = ({ newId, logger, coverOpenDispute }: OutcomeDependencies) => {
  const fail = async (tx: Repositories, refund: Refund, payment: Payment, now: Date) => {
    const { sellerId, id: refundId } = refund
    const { holds, amounts } = await giveBack(tx, refund, now, newId)
    const back = refundFailed({ sellerId, refundId, method: payment.method, ...amounts })
    const blocked = payment.status === 'in_dispute' ? await coverOpenDispute(tx, payment, refundId, now) : []
    const events = holds.map((hold) => ({ type: 'reserve.held' as const, sellerId, data: reserveHoldView(hold) }))
    return { payment, events, transfers: [back, ...blocked] }
  }

  const unchanged = (refund: Refund, state: RefundState): NotificationOutcome => {
    if (state.status === 'processing' || state.status === refund.status)
      return { status: 'ignored', reason: 'no_change' }
    // Money may have moved that the books do not have: only a person can find out which answer is the true one.
    logger.error({ refundId: refund.id, status: refund.status, told: state.status }, 'a provider contradicts itself')
    return { status: 'ignored', reason: `contradicts_${refund.status}` }
  }

  const lock = async (tx: Repositories, news: readonly RefundNews[]) => {
    const known = await tx.refunds.listByKeys(news)
    const keys = known.map(({ sellerId, paymentId }) => ({ sellerId, id: paymentId }))
    const payments = new Map((await tx.payments.lockMany(keys)).map((row) => [row.id, row]))
    const refunds = new Map((await tx.refunds.lockMany(news)).map((row) => [row.id, row]))
    return { payments, refunds }
  }

  return async (tx: Repositories, news: readonly RefundNews[], now: Date): Promise<NotificationOutcome[]> => {
    const { payments, refunds } = await lock(tx, news)
    const effects: Effects = { events: [], transfers: [] }

    const change = async (refund: Refund, payment: Payment, state: FinalState): Promise<void> => {
      const after = await moved(tx, refund, state, now)
      const done = await (state.status === 'completed' ? countRefund : fail)(tx, after, payment, now)
      refunds.set(after.id, after)
      payments.set(payment.id, done.payment)
      const told = { type: `refund.${state.status}` as const, sellerId: after.sellerId, data: refundView(after) }
      effects.events.push(told, ...done.events)
      effects.transfers.push(...done.transfers)
    }

    const apply = async ({ id, state }: RefundNews): Promise<NotificationOutcome> => {
      const refund = refunds.get(id)
      const payment = payments.get(refund?.paymentId ?? '')
      if (refund === undefined || payment === undefined) return { status: 'unmatched' }
      if (refund.status !== 'processing' || state.status === 'processing') return unchanged(refund, state)
      await change(refund, payment, state)
      return { status: 'processed' }
    }

    const outcomes: NotificationOutcome[] = []
    for (const one of news) outcomes.push(await apply(one))
    await tx.events.add(effects.events, now)
    const posted = await tx.ledger.post(effects.transfers, now)
    invariant(
      posted.every((outcome) => outcome.posted),
      'the money of a refund could not be booked',
    )
    return outcomes
  }
}

export type ApplyRefundNews = ReturnType<typeof createRefundOutcomes>
