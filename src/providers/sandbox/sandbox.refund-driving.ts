import type { Actor } from '../../domain/actor.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { Notification } from '../provider.port.ts'
import { sandboxReference } from './sandbox.ids.ts'

const ACCEPTED = { status: 'accepted' as const }

type Driving = {
  newId: NewId
  /** Throws payment.not_found for another seller's payment. */
  getPayment: (actor: Actor, id: string) => Promise<{ amount: Centavos; paidAmount: Centavos }>
  record: (kind: 'refund', reference: string, facts: { status: string; amount: Centavos }) => Promise<void>
  send: (notification: Notification) => Promise<void>
}

/** Lets the acquirer send money back that nobody here asked it to send back. */
export const createRefundDriving = ({ newId, getPayment, record, send }: Driving) => ({
  /** By default all that was paid. Throws payment.not_found. */
  async refund(actor: Actor, id: string, wanted: number | undefined) {
    const payment = await getPayment(actor, id)
    const paid = payment.paidAmount === 0 ? payment.amount : payment.paidAmount
    const amount = wanted === undefined ? paid : centavos(wanted)
    const reference = sandboxReference(newId())
    await record('refund', reference, { status: 'completed', amount })
    const begun = { chargeReference: sandboxReference(id), amount, reason: 'acquirer_refund' }
    await send({ kind: 'refund', reference, state: { status: 'completed' }, begun })
    return ACCEPTED
  },
})
