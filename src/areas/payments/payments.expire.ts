import type { Clock } from '../../clock.ts'
import { type HeldBooks, withoutHeldBooks } from '../../db/held-books.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import type { KnownCosts } from '../provider-costs/known-costs.ts'
import { confirmPayments } from './payments.confirm.batch.ts'
import type { PaymentKey } from './payments.repository.ts'

const BATCH_MAX = 100

type Dependencies = {
  read: Pick<Reads, 'payments'>
  transact: Transact
  clock: Clock
  newId: NewId
  linkUrl: LinkUrl
  heldBooks: HeldBooks
  knownCosts: KnownCosts
}

/**
 * Ends payments that nobody paid in time and authorizations that nobody captured. Money that still comes in later
 * turns them into paid ones.
 */
export const createExpirePayments = (dependencies: Dependencies) => {
  const { read, transact, clock, newId, linkUrl, heldBooks, knownCosts } = dependencies
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
      return withoutHeldBooks(heldBooks, due, expire)
    },
  }
}
