import { add, type Centavos, subtract, ZERO } from '../../domain/money.ts'
import type { ReleaseReason } from '../../domain/reserve-hold.ts'
import { reserveReleased } from '../../domain/transfers.ts'
import type { Repositories } from '../../repositories.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'
import { releasedHoldView } from './reserves.view.ts'

type Tx = Pick<Repositories, 'ledger' | 'reserveHolds' | 'events'>

export type Released = {
  count: number
  amount: Centavos
  /** Holds that the books cannot release: only broken ones get there, and the proof of the ledger says how. */
  stuckIds: string[]
}

const remainingOf = (hold: ReserveHold) => subtract(hold.amount, hold.releasedAmount, hold.consumedAmount)

/** Gives back what is left of holds that are locked and `held`, with a statement row and an event each. */
export const releaseHolds = async (
  tx: Tx,
  holds: readonly ReserveHold[],
  reason: ReleaseReason,
  now: Date,
): Promise<Released> => {
  const outcomes = await tx.ledger.post(
    holds.map((hold) =>
      reserveReleased({ sellerId: hold.sellerId, holdId: hold.id, method: hold.method, amount: remainingOf(hold) }),
    ),
    now,
  )
  const released = holds.filter((_, index) => outcomes[index]?.posted)
  const stuckIds = holds.filter((_, index) => !outcomes[index]?.posted).map(({ id }) => id)
  await tx.reserveHolds.release(
    released.map(({ id }) => id),
    now,
  )
  await tx.events.add(
    released.map((hold) => ({
      type: 'reserve.released' as const,
      sellerId: hold.sellerId,
      data: releasedHoldView(hold, reason, now),
    })),
    now,
  )
  return { count: released.length, amount: add(ZERO, ...released.map(remainingOf)), stuckIds }
}
