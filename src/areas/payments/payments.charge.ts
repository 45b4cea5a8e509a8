import type { Clock } from '../../clock.ts'
import { coalesce } from '../../db/coalesce.ts'
import { type Idempotency, successRecord } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ChargeResult, ChargeState } from '../../providers/provider.port.ts'
import type { Transact } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import { type Applied, applyCharges, type ChargeChange } from './payments.apply.ts'
import { chargeFields } from './payments.outcome.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import { paymentView } from './payments.view.ts'

const BATCH_MAX = 100

/** What a provider answered about one payment, to be written. */
type Answered = {
  payment: PaymentKey & Pick<Payment, 'provider'>
  state: ChargeState
  fields?: Partial<Payment>
  reference: string | null
  /** The request that waits for this outcome: its answer is kept in the same transaction. */
  idempotency?: Idempotency | undefined
}

type Dependencies = { transact: Transact; clock: Clock; newId: NewId; linkUrl: LinkUrl }

const changeOf = ({ payment: { sellerId, id }, state, fields }: Answered): ChargeChange => ({
  sellerId,
  id,
  state,
  ...(fields ? { fields } : {}),
})

/** Writes providers' answers, many in one transaction. Answers the payment as it stands after it. */
export const createOutcomeWriter = ({ transact, clock, newId, linkUrl }: Dependencies) =>
  coalesce<Answered, Applied>(
    (answers) =>
      transact(async (tx) => {
        const now = clock.now()
        const applied = await applyCharges(tx, answers.map(changeOf), { now, newId, linkUrl })
        await tx.providerReferences.insertMany(
          answers.flatMap(({ payment: { provider, sellerId, id }, reference }) =>
            reference === null ? [] : [{ provider, kind: 'charge' as const, reference, sellerId, resourceId: id }],
          ),
        )
        await tx.idempotency.putMany(
          answers.flatMap(({ idempotency }, index) => {
            const payment = applied[index]?.payment
            return idempotency && payment ? [successRecord(idempotency, paymentView(payment), now)] : []
          }),
        )
        return applied.map((value) => ({ ok: true as const, value }))
      }),
    { maxBatch: BATCH_MAX },
  )

export type WriteOutcome = ReturnType<typeof createOutcomeWriter>

/** The answer to a charge request, as something to be written. An unknown outcome is `processing`, never `failed`. */
export const answeredBy = (payment: Payment, result: ChargeResult): Answered => {
  if (result.outcome === 'accepted') {
    const { charge } = result
    return { payment, state: charge.state, fields: chargeFields(charge), reference: charge.reference }
  }
  const status = result.outcome === 'refused' ? ('failed' as const) : ('processing' as const)
  if (status === 'failed') return { payment, state: { status, reason: result.reason }, reference: null }
  return { payment, state: { status }, fields: { statusReason: result.reason }, reference: null }
}
