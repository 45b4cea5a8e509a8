import type { Clock } from '../../clock.ts'
import { negate } from '../../domain/money.ts'
import type { Transact } from '../../repositories.ts'
import { balanceOwedEvent } from './adjustments.events.ts'

const HOUR_MS = 3_600_000
/** A debt that the next sales cover is nobody's business. */
const TELL_AFTER_MS = 24 * HOUR_MS
const TELL_AGAIN_AFTER_MS = 7 * 24 * HOUR_MS
const BATCH_MAX = 100

/** Notes who owes the platform since when, and tells those who have for a day, once a week. */
export const createAgeDebts = ({ transact, clock }: { transact: Transact; clock: Clock }) => ({
  /** Answers how many were told. */
  async runOnce(): Promise<number> {
    return transact(async (tx) => {
      const now = clock.now()
      await tx.adjustments.updateDebts(now)
      const times = {
        owedBefore: new Date(now.getTime() - TELL_AFTER_MS),
        toldBefore: new Date(now.getTime() - TELL_AGAIN_AFTER_MS),
      }
      const untold = await tx.adjustments.claimUntold(times, BATCH_MAX, now)
      const sellerIds = untold.map(({ sellerId }) => sellerId)
      const available = await tx.ledger.findBalancesOf('available', sellerIds)
      const events = untold.flatMap(({ sellerId, owedSince }) => {
        const balance = available.get(sellerId)
        return balance !== undefined && balance < 0 ? [balanceOwedEvent(sellerId, negate(balance), owedSince)] : []
      })
      await tx.events.add(events, now)
      return untold.length
    })
  },
})
