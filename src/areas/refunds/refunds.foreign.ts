import type { FastifyBaseLogger } from 'fastify'
import type { PaymentStatus } from '../../domain/payment.ts'
import { leftOf } from '../../domain/refund.ts'
import type { Transfer } from '../../domain/transfer.ts'
import { refundRequested } from '../../domain/transfers.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { NotificationOutcome, RoutedNotification } from '../../providers/notification-routing.ts'
import type { RefundBegun } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import { draw } from './refunds.draw.ts'
import { countRefund } from './refunds.outcome.ts'
import type { Refund } from './refunds.repository.ts'
import { refundView } from './refunds.view.ts'

type Dependencies = { newId: NewId; logger: Pick<FastifyBaseLogger, 'error'> }

/** What happened, for the sellers and for the books. */
type Effects = { events: NewEvent[]; transfers: Transfer[] }

const REASON_MAX = 200
const NOT_COMPLETED: NotificationOutcome = { status: 'ignored', reason: 'not_completed' }
const IN_FLIGHT: NotificationOutcome = { status: 'unmatched', reason: 'refund_in_flight', waits: true }
/** Such a payment is on its way to where a refund can be taken from it. */
const ON_ITS_WAY: readonly PaymentStatus[] = ['created', 'pending', 'processing', 'authorized', 'in_dispute']

const unbookable = ({ status }: Payment): NotificationOutcome | undefined => {
  const reason = `payment_${status}`
  if (status === 'paid' || status === 'partially_refunded') return undefined
  if (status === 'refunded' || status === 'charged_back') return { status: 'ignored', reason }
  return { status: 'unmatched', reason, waits: ON_ITS_WAY.includes(status) }
}

// One of ours may have overtaken its own answer: until that is filed, nobody can tell the two apart.
const mayBeOurs = async (tx: Repositories, payment: Payment, { amount }: RefundBegun): Promise<boolean> => {
  const { sellerId, provider } = payment
  for (const { id } of (await tx.refunds.listProcessing(payment)).filter((refund) => refund.amount === amount)) {
    const filed = await tx.providerReferences.findByResource(provider, 'refund', { sellerId, resourceId: id })
    if (filed === null) return true
  }
  return false
}

const refusalOf = async (
  tx: Repositories,
  payment: Payment,
  begun: RefundBegun,
): Promise<NotificationOutcome | undefined> => {
  const refusal = unbookable(payment)
  if (refusal !== undefined) return refusal
  if (await mayBeOurs(tx, payment, begun)) return IN_FLIGHT
  const processing = await tx.refunds.sumProcessing(payment)
  if (begun.amount <= leftOf(payment, processing)) return undefined
  return processing > 0 ? IN_FLIGHT : { status: 'ignored', reason: 'amount_exceeds_payment' }
}

const book = async (
  tx: Repositories,
  payment: Payment,
  { reference, begun }: { reference: string; begun: RefundBegun },
  { now, newId }: { now: Date; newId: NewId },
): Promise<Effects> => {
  const { sellerId, id: paymentId, method, provider } = payment
  const { draws, ...parts } = await draw(tx, payment, begun.amount, now)
  const refund: Refund = {
    ...parts,
    draws,
    sellerId,
    id: newId(),
    paymentId,
    amount: begun.amount,
    reason: begun.reason?.slice(0, REASON_MAX) ?? null,
    status: 'completed',
    statusReason: null,
    provider,
    origin: 'provider',
    requestedBy: null,
    sentAt: now,
    lastAttemptAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await tx.refunds.insert(refund)
  await tx.providerReferences.insertMany([{ provider, kind: 'refund', reference, sellerId, resourceId: refund.id }])
  const counted = await countRefund(tx, refund, payment, now)
  return {
    events: [{ type: 'refund.completed', sellerId, data: refundView(refund) }, ...counted.events],
    transfers: [refundRequested({ sellerId, refundId: refund.id, method, ...parts, forced: true })],
  }
}

/**
 * Refunds that were begun at the provider's side: an operator there, or a payer's bank, sent money back without our
 * asking. It is gone, so it is booked by force, in the order in which every refund is; only once it is completed, since
 * one that we never asked for holds nothing before. Whatever is not to be booked answers why.
 */
export const createForeignRefunds =
  ({ newId, logger }: Dependencies) =>
  async (
    tx: Repositories,
    payment: Payment,
    { notification: { reference, state, begun } }: RoutedNotification<'refund'>,
    now: Date,
  ): Promise<NotificationOutcome | Effects> => {
    if (begun === undefined) return { status: 'unmatched', reason: 'reference_unknown' }
    if (state.status !== 'completed') return NOT_COMPLETED
    const refusal = await refusalOf(tx, payment, begun)
    if (refusal === undefined) return book(tx, payment, { reference, begun }, { now, newId })
    if (refusal.status === 'ignored') {
      // More went back than came in. Only a person can find out what that money was.
      const { id: paymentId, status } = payment
      logger.error({ paymentId, status, amount: begun.amount }, 'a provider refunded more than is left of a payment')
    }
    return refusal
  }
