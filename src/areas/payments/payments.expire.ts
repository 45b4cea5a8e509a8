import type { Clock } from '../../clock.ts'
import { type HeldBooks, withoutHeldBooks } from '../../db/held-books.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import type { KnownCosts } from '../provider-costs/known-costs.ts'
import { confirmPayments, type WriteNews } from './payments.confirm.batch.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'

const BATCH_MAX = 100
const CONCURRENCY = 10

type Dependencies = {
  read: Pick<Reads, 'payments'>
  transact: Transact
  clock: Clock
  newId: NewId
  linkUrl: LinkUrl
  heldBooks: HeldBooks
  knownCosts: KnownCosts
  providers: Pick<ProviderRegistry, 'find'>
  writeNews: WriteNews
}

/** Ends charges at their provider, so that nobody pays for what is over, and hears of those whose payers were faster. */
const createEnding = ({ providers, writeNews }: Pick<Dependencies, 'providers' | 'writeNews'>) => {
  // What a provider makes without a network it does not keep, and cards are let go by themselves.
  const chargesOf = ({ provider, method }: Payment) => {
    const found = providers.find(provider)
    const isKept = found?.charges !== undefined && found.charges.compose === undefined && method !== 'credit_card'
    return isKept && found.restsForMs() === 0 ? found.charges : undefined
  }

  const end = async (payment: Payment): Promise<void> => {
    const charges = chargesOf(payment)
    if (charges === undefined) return
    const key = { paymentId: payment.id, reference: payment.pixTxid }
    if ((await charges.cancel(key)).outcome !== 'refused') return
    const there = await charges.get(key)
    if (there.outcome !== 'found' || there.charge.state.status !== 'paid') return
    await writeNews({ payment, state: there.charge.state, reference: there.charge.reference })
  }

  return async (payments: readonly Payment[]): Promise<void> => {
    for (let at = 0; at < payments.length; at += CONCURRENCY) {
      await Promise.all(payments.slice(at, at + CONCURRENCY).map(end))
    }
  }
}

/**
 * Ends payments that nobody paid in time and authorizations that nobody captured, first where their charges are kept; a
 * provider that does not answer holds nothing up. Money that still comes in later turns them into paid ones.
 */
export const createExpirePayments = (dependencies: Dependencies) => {
  const { read, transact, clock, newId, linkUrl, heldBooks, knownCosts } = dependencies
  const endCharges = createEnding(dependencies)
  const expire = (due: readonly PaymentKey[]): Promise<number> =>
    transact(
      async (tx) => {
        const now = clock.now()
        // Between the list and the lock one may have been paid, or captured with a new time.
        const rows = await tx.payments.lockMany(due, { skipLocked: true })
        const late = rows.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
        const state = { status: 'expired' as const, reason: null }
        const changes = late.map(({ sellerId, id }) => ({ sellerId, id, state }))
        const confirmed = await confirmPayments(tx, changes, { now, newId, linkUrl, knownCosts })
        return confirmed.filter((one) => one?.changed).length
      },
      { patient: false },
    )
  return {
    /** One batch. Answers how many expired. */
    async runOnce(): Promise<number> {
      const due = await read.payments.listExpired(clock.now(), BATCH_MAX)
      await endCharges(await read.payments.listByKeys(due))
      return withoutHeldBooks(heldBooks, due, expire)
    },
  }
}
