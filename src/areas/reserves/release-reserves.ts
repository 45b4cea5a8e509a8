import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { subtract } from '../../domain/money.ts'
import { reserveReleased } from '../../domain/transfers.ts'
import type { Transact } from '../../repositories.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'
import { reserveHoldView } from './reserves.view.ts'

type Dependencies = { transact: Transact; clock: Clock; logger: Pick<FastifyBaseLogger, 'error'> }

const BATCH_SIZE = 200

const remainingOf = (hold: ReserveHold) => subtract(hold.amount, hold.releasedAmount, hold.consumedAmount)

const released = (hold: ReserveHold, now: Date) => {
  const releasedAmount = subtract(hold.amount, hold.consumedAmount)
  return { ...reserveHoldView({ ...hold, releasedAmount, status: 'released' }), releasedAt: now.toISOString() }
}

/** Gives reserves back whose time has come. */
export const createReleaseReserves = ({ transact, clock, logger }: Dependencies) => ({
  /** One batch, oldest first. Answers how many holds were released: 0 is the end. Safe to repeat and to run in many processes. */
  async runOnce(): Promise<number> {
    return transact(async (tx) => {
      const now = clock.now()
      const due = await tx.reserveHolds.lockDue(now, BATCH_SIZE)
      const outcomes = await tx.ledger.post(
        due.map((hold) => reserveReleased({ sellerId: hold.sellerId, holdId: hold.id, amount: remainingOf(hold) })),
        now,
      )
      const paid = due.filter((_, index) => outcomes[index]?.posted)
      const stuck = due.filter((_, index) => !outcomes[index]?.posted)
      // Only broken books get here; the proof of the ledger says how. The others must not wait for them.
      if (stuck.length > 0)
        logger.error({ holdIds: stuck.map(({ id }) => id) }, 'reserves that the books cannot release')
      await tx.reserveHolds.release(
        paid.map(({ id }) => id),
        now,
      )
      const events = paid.map((hold) => ({
        type: 'reserve.released' as const,
        sellerId: hold.sellerId,
        data: released(hold, now),
      }))
      await tx.events.add(events, now)
      return paid.length
    })
  },
})
