import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { type DisputeType, respondBy } from '../../domain/dispute.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { Notification } from '../provider.port.ts'
import type { createProviderReferencesRepository } from '../provider-references.repository.ts'
import { sandboxReference } from './sandbox.ids.ts'
import { SANDBOX } from './sandbox.provider.ts'

const REASONS = {
  med: 'The payer says that this Pix is a fraud.',
  chargeback: 'The holder of the card does not know this purchase.',
} as const satisfies Record<DisputeType, string>

const ACCEPTED = { status: 'accepted' as const }

type Driving = {
  read: { providerReferences: Pick<ReturnType<typeof createProviderReferencesRepository>, 'findByResource'> }
  clock: Clock
  newId: NewId
  /** Throws payment.not_found for another seller's payment. */
  getPayment: (actor: Actor, id: string) => Promise<{ amount: Centavos; paidAmount: Centavos }>
  /** Throws dispute.not_found for another seller's dispute. */
  getDispute: (actor: Actor, id: string) => Promise<{ amount: Centavos }>
  record: (kind: 'dispute', reference: string, facts: { status: string; amount: Centavos }) => Promise<void>
  send: (notification: Notification) => Promise<void>
}

/** Lets payers dispute what they paid, and the acquirer decide. */
export const createDisputeDriving = ({ read, clock, newId, getPayment, getDispute, record, send }: Driving) => ({
  /** The payer disputes a payment, by default all that was paid. */
  async openDispute(actor: Actor, id: string, claim: { type: DisputeType; amount?: number | undefined }) {
    const { type } = claim
    const payment = await getPayment(actor, id)
    const paid = payment.paidAmount === 0 ? payment.amount : payment.paidAmount
    const amount = claim.amount === undefined ? paid : centavos(claim.amount)
    const reference = sandboxReference(newId())
    await record('dispute', reference, { status: 'open', amount })
    const facts = { type, amount, reason: REASONS[type], respondBy: respondBy(type, clock.now()) }
    const state = { status: 'open' as const, chargeReference: sandboxReference(id), ...facts }
    await send({ kind: 'dispute', reference, state })
    return ACCEPTED
  },

  /** The dispute is decided. Throws dispute.not_found. */
  async resolveDispute(actor: Actor, id: string, outcome: 'won' | 'lost') {
    const { amount } = await getDispute(actor, id)
    const owner = { sellerId: actor.sellerId, resourceId: id }
    const reference = await read.providerReferences.findByResource(SANDBOX, 'dispute', owner)
    invariant(reference !== null, 'a dispute that no provider opened')
    await record('dispute', reference, { status: outcome, amount })
    await send({ kind: 'dispute', reference, state: { status: outcome } })
    return ACCEPTED
  },
})
