import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { type HeldBooks, withoutHeldBooks } from '../../db/held-books.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { releaseHolds } from './release-holds.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'

type Dependencies = {
  read: Pick<Reads, 'reserveHolds'>
  transact: Transact
  clock: Clock
  heldBooks: HeldBooks
  logger: Pick<FastifyBaseLogger, 'error'>
}

const BATCH_SIZE = 200

const STUCK = 'reserves that the books cannot release'

/** Gives reserves back whose time has come. */
export const createReleaseReserves = ({ read, transact, clock, heldBooks, logger }: Dependencies) => {
  const release = (due: readonly Pick<ReserveHold, 'sellerId' | 'id'>[]): Promise<number> =>
    transact(
      async (tx) => {
        const now = clock.now()
        const { count, stuckIds } = await releaseHolds(tx, await tx.reserveHolds.lockMany(due), 'due', now)
        // The others must not wait for them.
        if (stuckIds.length > 0) logger.error({ holdIds: stuckIds }, STUCK)
        return count
      },
      { patient: false },
    )
  return {
    /** One batch, oldest first. Answers how many holds were released: 0 is the end. Safe to repeat and to run in many processes. */
    runOnce: async (): Promise<number> =>
      withoutHeldBooks(heldBooks, await read.reserveHolds.listDue(clock.now(), BATCH_SIZE), release),
  }
}

/**
 * Gives back everything that administrators wished to be given back. Holds that a refund or dispute is working on are
 * left to it, and looked at again in the next round.
 */
export const createReleaseAllReserves = ({ transact, clock, logger }: Omit<Dependencies, 'read' | 'heldBooks'>) => ({
  /** One batch of one seller. Answers 0 where nothing more can be released now. */
  async runOnce(): Promise<number> {
    return transact(async (tx) => {
      const now = clock.now()
      const release = await tx.reserveReleases.lockNext()
      if (release === undefined) return 0
      const holds = await tx.reserveHolds.lockHeld(release, BATCH_SIZE)
      const { count, amount, stuckIds } = await releaseHolds(tx, holds, 'early', now)
      if (stuckIds.length > 0) logger.error({ holdIds: stuckIds }, STUCK)
      const isDone = (await tx.reserveHolds.countHeld(release)) === 0
      await tx.reserveReleases.advance(release.id, { count, amount, isDone }, now)
      return count + (isDone ? 1 : 0)
    })
  },
})
