import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Transact } from '../../repositories.ts'
import { releaseHolds } from './release-holds.ts'

type Dependencies = { transact: Transact; clock: Clock; logger: Pick<FastifyBaseLogger, 'error'> }

const BATCH_SIZE = 200

const STUCK = 'reserves that the books cannot release'

/** Gives reserves back whose time has come. */
export const createReleaseReserves = ({ transact, clock, logger }: Dependencies) => ({
  /** One batch, oldest first. Answers how many holds were released: 0 is the end. Safe to repeat and to run in many processes. */
  async runOnce(): Promise<number> {
    return transact(async (tx) => {
      const now = clock.now()
      const due = await tx.reserveHolds.lockDue(now, BATCH_SIZE)
      const { count, stuckIds } = await releaseHolds(tx, due, 'due', now)
      // The others must not wait for them.
      if (stuckIds.length > 0) logger.error({ holdIds: stuckIds }, STUCK)
      return count
    })
  },
})

/**
 * Gives back everything that administrators wished to be given back. Holds that a refund or dispute is working on are
 * left to it, and looked at again in the next round.
 */
export const createReleaseAllReserves = ({ transact, clock, logger }: Dependencies) => ({
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
