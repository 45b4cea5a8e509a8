import type { FastifyBaseLogger } from 'fastify'
import { isOpenDispute, wasLostByClock } from '../../domain/dispute.ts'
import { invariant } from '../../domain/invariant.ts'
import { paymentLifecycle } from '../../domain/payment.ts'
import type { NewId } from '../../ids.ts'
import type { NotificationOutcome, RoutedNotification } from '../../providers/notification-routing.ts'
import type { DisputeState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import {
  applyChanges,
  type DisputeChange,
  loseDispute,
  type OpeningNotification,
  openDispute,
  winDispute,
} from './disputes.outcome.ts'
import type { Dispute } from './disputes.queries.ts'
import { reverseDispute } from './disputes.reversal.ts'

type Verdict = Exclude<DisputeState, { status: 'open' }>
type Heard = NotificationOutcome | DisputeChange

const NO_CHANGE: NotificationOutcome = { status: 'ignored', reason: 'no_change' }
// A refund on its way may still fail, and then the payer's claim is on its money too.
const REFUND_IN_FLIGHT: NotificationOutcome = { status: 'unmatched', reason: 'refund_in_flight', waits: true }

type Dependencies = { newId: NewId; logger: Pick<FastifyBaseLogger, 'error'> }

const resolved = async (tx: Repositories, dispute: Dispute, verdict: Verdict, now: Date): Promise<Dispute> => {
  const moved = await tx.disputes.move(dispute, verdict.status, { resolvedAt: now, resolvedBy: 'provider' }, now)
  invariant(moved !== undefined, 'a locked dispute was moved by someone else')
  return moved
}

const createHearing = ({ newId, logger }: Dependencies) => {
  // What may still become disputable is tried again; a payment all of which went back has nothing to dispute.
  const undisputable = ({ id, status }: Payment): NotificationOutcome => {
    if (status !== 'refunded' && status !== 'charged_back')
      return { status: 'unmatched', reason: `payment_${status}`, waits: status === 'in_dispute' }
    logger.error({ paymentId: id, status }, 'a dispute of a payment that went back to its payer')
    return { status: 'ignored', reason: `payment_${status}` }
  }

  const ended = ({ id, status }: Dispute, verdict: Verdict): NotificationOutcome => {
    if (status === verdict.status) return NO_CHANGE
    // Money may have moved that the books do not have: only a person can find out which answer is the true one.
    logger.error({ disputeId: id, status, told: verdict.status }, 'a provider contradicts itself')
    return { status: 'ignored', reason: `contradicts_${status}` }
  }

  // Nobody answered in time, so the payer was taken to be right. The provider may still say otherwise.
  const confirmOrReverse = async (
    tx: Repositories,
    { dispute, payment, verdict }: { dispute: Dispute; payment: Payment; verdict: Verdict },
    now: Date,
  ): Promise<Heard> => {
    if (verdict.status === 'lost') {
      await tx.disputes.updateConfirmed(dispute, now)
      return { status: 'processed' }
    }
    return reverseDispute(tx, await resolved(tx, dispute, verdict, now), payment, { now, newId })
  }

  const decide = async (
    tx: Repositories,
    { dispute, payment, verdict }: { dispute: Dispute; payment: Payment; verdict: Verdict },
    now: Date,
  ): Promise<Heard> => {
    const isLost = verdict.status === 'lost'
    if (isLost && (await tx.refunds.sumProcessing(payment)) > 0) return REFUND_IN_FLIGHT
    const moved = await resolved(tx, dispute, verdict, now)
    return (isLost ? loseDispute : winDispute)(tx, moved, payment, now)
  }

  return {
    opening: async (tx: Repositories, payment: Payment, sent: OpeningNotification, now: Date): Promise<Heard> => {
      const known = (await tx.disputes.lockByPayment(payment)).some(
        ({ provider, providerReference }) => provider === sent.provider && providerReference === sent.reference,
      )
      if (known) return NO_CHANGE
      if (!paymentLifecycle.allows(payment.status, 'in_dispute')) return undisputable(payment)
      return openDispute(tx, payment, sent, { now, newId })
    },

    verdict: async (
      tx: Repositories,
      payment: Payment,
      told: { id: string; verdict: Verdict },
      now: Date,
    ): Promise<Heard> => {
      const { id, verdict } = told
      const dispute = (await tx.disputes.lockByPayment(payment)).find((one) => one.id === id)
      if (dispute === undefined) return { status: 'unmatched' }
      if (wasLostByClock(dispute)) return confirmOrReverse(tx, { dispute, payment, verdict }, now)
      if (!isOpenDispute(dispute.status)) return ended(dispute, verdict)
      return decide(tx, { dispute, payment, verdict }, now)
    },
  }
}

// Which payment each notification is about: an opening is routed by the payment's charge, a verdict by the dispute.
const paymentIdsOf = async (tx: Repositories, notifications: readonly RoutedNotification<'dispute'>[]) => {
  const keys = notifications.map(({ sellerId, resourceId: id }) => ({ sellerId, id }))
  const known = new Map((await tx.disputes.listByKeys(keys)).map((dispute) => [dispute.id, dispute.paymentId]))
  return notifications.map(({ resourceId, notification }) =>
    notification.state.status === 'open' ? resourceId : known.get(resourceId),
  )
}

const lockPayments = async (
  tx: Repositories,
  notifications: readonly RoutedNotification<'dispute'>[],
  ids: readonly (string | undefined)[],
) => {
  const keys = notifications.flatMap(({ sellerId }, index) => {
    const id = ids[index]
    return id === undefined ? [] : [{ sellerId, id }]
  })
  return new Map((await tx.payments.lockMany(keys)).map((row) => [row.id, row]))
}

/** What callbacks say about disputes, applied in the transaction that marks the callbacks as processed. */
export const createDisputeNotifications = (dependencies: Dependencies) => {
  const hearing = createHearing(dependencies)

  const hear = (
    tx: Repositories,
    payment: Payment,
    notification: RoutedNotification<'dispute'>,
    now: Date,
  ): Promise<Heard> => {
    const { provider, resourceId: id } = notification
    const { reference, state } = notification.notification
    return state.status === 'open'
      ? hearing.opening(tx, payment, { provider, reference, state }, now)
      : hearing.verdict(tx, payment, { id, verdict: state }, now)
  }

  return async (
    tx: Repositories,
    notifications: readonly RoutedNotification<'dispute'>[],
    now: Date,
  ): Promise<readonly NotificationOutcome[]> => {
    const ids = await paymentIdsOf(tx, notifications)
    const payments = await lockPayments(tx, notifications, ids)
    const changes: DisputeChange[] = []
    const outcomes: NotificationOutcome[] = []
    for (const [index, notification] of notifications.entries()) {
      const payment = payments.get(ids[index] ?? '')
      const heard = payment ? await hear(tx, payment, notification, now) : { status: 'unmatched' as const }
      if ('status' in heard) outcomes.push(heard)
      else {
        payments.set(heard.payment.id, heard.payment)
        changes.push(heard)
        outcomes.push({ status: 'processed' })
      }
    }
    await applyChanges(tx, changes, now)
    return outcomes
  }
}
