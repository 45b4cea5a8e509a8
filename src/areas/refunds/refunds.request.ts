import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { isRefundable, isTooLateToRefund, leftOf } from '../../domain/refund.ts'
import { refundRequested } from '../../domain/transfers.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import type { Payment } from '../payments/payments.repository.ts'
import { balanceErrors } from '../withdrawals/withdrawals.errors.ts'
import { draw } from './refunds.draw.ts'
import { refundErrors } from './refunds.errors.ts'
import type { Refund } from './refunds.repository.ts'
import type { RequestRefundBody } from './refunds.schemas.ts'
import { type RefundView, refundView } from './refunds.view.ts'

type Dependencies = {
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  /** Called after the commit so that the refund goes out at once. Never throws. */
  sendRefundsSoon: () => Promise<void>
}

const checkRefundable = ({ status, method, paidAt }: Payment, now: Date): void => {
  if (status === 'in_dispute') throw refundErrors.payment_in_dispute()
  if (status !== 'paid' && status !== 'partially_refunded') throw refundErrors.payment_not_refundable()
  if (!isRefundable(method)) throw refundErrors.method_not_refundable()
  invariant(paidAt !== null, 'a payment was paid at no time')
  if (isTooLateToRefund(method, paidAt, now)) throw refundErrors.too_late()
}

const amountOf = (wanted: number | undefined, left: Centavos): Centavos => {
  const amount = wanted === undefined ? left : centavos(wanted)
  if (amount > left || amount === 0) throw refundErrors.amount_exceeds_payment()
  return amount
}

/** Takes a seller's request to refund: either all of it stands, money on its way, or nothing. */
export const createRefundRequests = ({ once, clock, newId, sendRefundsSoon }: Dependencies) => {
  const accept = async (
    tx: Repositories,
    actor: Actor,
    paymentId: string,
    body: RequestRefundBody,
  ): Promise<Refund> => {
    // Refunds, disputes and settlements of one payment follow each other: each begins with this lock.
    const [payment] = await tx.payments.lockMany([{ sellerId: actor.sellerId, id: paymentId }])
    if (payment === undefined) throw paymentErrors.not_found()
    const now = clock.now()
    checkRefundable(payment, now)
    const amount = amountOf(body?.amount, leftOf(payment, await tx.refunds.sumProcessing(payment)))
    const { sellerId, method, provider } = payment
    const drawn = await draw(tx, payment, amount, now)
    const refund: Refund = {
      ...drawn,
      sellerId,
      id: newId(),
      paymentId,
      amount,
      reason: body?.reason ?? null,
      status: 'processing',
      statusReason: null,
      provider,
      origin: 'seller',
      requestedBy: actor.userId,
      sentAt: null,
      lastAttemptAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await tx.refunds.insert(refund)
    const { draws: _draws, ...parts } = drawn
    const [outcome] = await tx.ledger.post([refundRequested({ sellerId, refundId: refund.id, method, ...parts })], now)
    if (!outcome?.posted) {
      throw balanceErrors.insufficient({
        detail: 'What is left of this payment and the available balance do not cover the refund.',
      })
    }
    return refund
  }

  /**
   * Refunds all or part of a payment. Throws payment.not_found, refund.payment_not_refundable, .payment_in_dispute,
   * .method_not_refundable, .too_late, .amount_exceeds_payment and balance.insufficient.
   */
  return async (
    actor: Actor,
    paymentId: string,
    body: RequestRefundBody,
    idempotency: Idempotency,
  ): Promise<RefundView> => {
    const view = await once(idempotency, async (tx) => refundView(await accept(tx, actor, paymentId, body)))
    await sendRefundsSoon()
    return view
  }
}
