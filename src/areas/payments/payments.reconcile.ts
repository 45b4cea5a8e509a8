import type { Clock } from '../../clock.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads } from '../../repositories.ts'
import { chargeFields, newsOf } from './payments.charge.ts'
import type { WriteNews } from './payments.confirm.batch.ts'
import type { Payment } from './payments.repository.ts'
import type { WholeChargeRequest } from './payments.saved-cards.ts'

/** Younger ones may still be in the hands of the request that makes them. */
const AGE_MS = 60_000
const PAGE_SIZE = 50
const CONCURRENCY = 5

type Dependencies = {
  read: Pick<Reads, 'payments' | 'paymentTerms' | 'providerReferences'>
  providers: ProviderRegistry
  wholeRequestOf: WholeChargeRequest
  writeNews: WriteNews
  clock: Clock
}

/**
 * Owns the gap between our writes and the provider's: payments that a crash or a timeout left without an outcome are
 * asked about, and one that never arrived is asked for again under its own id.
 */
export const createReconcilePayments = ({ read, providers, wholeRequestOf, writeNews, clock }: Dependencies) => {
  const reconcile = async (payment: Payment): Promise<boolean> => {
    const charges = providers.find(payment.provider)?.charges
    if (charges === undefined) return false
    const { sellerId, id } = payment
    const reference = await read.providerReferences.findByResource(payment.provider, 'charge', {
      sellerId,
      resourceId: id,
    })
    const found = await charges.get({ paymentId: id, reference })
    if (found.outcome === 'unknown') return false
    if (found.outcome === 'found') {
      const { charge } = found
      const fields = chargeFields(charge)
      const confirmed = await writeNews({ payment, state: charge.state, fields, reference: charge.reference })
      return confirmed?.changed === true
    }
    const [seller] = await read.paymentTerms.findSellers([sellerId])
    const result = await charges.create(await wholeRequestOf(payment, seller))
    if (result.outcome === 'unknown' || result.outcome === 'unavailable') return false
    const confirmed = await writeNews({ payment, ...newsOf(result) })
    return confirmed?.changed === true
  }

  return {
    /** Goes once through all that have no outcome. Answers for how many one was found. */
    async runOnce(): Promise<number> {
      const before = new Date(clock.now().getTime() - AGE_MS)
      let reconciled = 0
      let page = await read.payments.listUnfinished(before, PAGE_SIZE)
      while (page.length > 0) {
        for (let at = 0; at < page.length; at += CONCURRENCY) {
          const results = await Promise.all(page.slice(at, at + CONCURRENCY).map(reconcile))
          reconciled += results.filter(Boolean).length
        }
        page = await read.payments.listUnfinished(before, PAGE_SIZE, page.at(-1))
      }
      return reconciled
    },
  }
}
