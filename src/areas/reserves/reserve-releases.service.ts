import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { ZERO } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { releaseHolds } from './release-holds.ts'
import type { ReleaseReservesBody, ReserveHoldsQuery, ReserveReleasesQuery } from './reserve-releases.schemas.ts'
import { reserveConfigErrors, reserveHoldErrors } from './reserves.errors.ts'
import { reserveHoldView, reserveReleaseView } from './reserves.view.ts'

type Dependencies = {
  read: Pick<Reads, 'reserveConfigs' | 'reserveHolds' | 'reserveReleases'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  /** Lets the job begin now instead of with its next round. After the commit; never throws. */
  releaseSoon: () => Promise<void>
}

export type ReserveReleasesService = ReturnType<typeof createReserveReleasesService>

type HoldView = ReturnType<typeof reserveHoldView>
type ReleaseView = ReturnType<typeof reserveReleaseView>

/** What is held back, and how administrators give it back before its day. */
export const createReserveReleasesService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, newId, releaseSoon } = dependencies

  const begin = async (tx: Repositories, actor: Actor, configId: string, deactivate: boolean): Promise<ReleaseView> => {
    const config = await tx.reserveConfigs.lock(configId)
    if (config === undefined) throw reserveConfigErrors.not_found()
    const now = clock.now()
    const isActive = config.isActive && !deactivate
    if (isActive !== config.isActive) await tx.reserveConfigs.update(configId, { ...config, isActive }, now)
    const release = await tx.reserveReleases.insertOrExtend({
      id: newId(),
      sellerId: config.sellerId,
      reserveConfigId: configId,
      requestedBy: actor.userId,
      heldUntil: now,
      releasedCount: 0,
      releasedAmount: ZERO,
      createdAt: now,
      updatedAt: now,
      completedAt: null,
    })
    const target = { targetType: 'reserve_config', targetId: configId, sellerId: config.sellerId }
    const change = {
      before: { isActive: config.isActive },
      after: { isActive, releaseId: release.id, heldUntil: toTimestamp(now) },
    }
    await tx.audit.add({ actor, action: 'reserve_config.release', ...target, ...change }, now)
    return reserveReleaseView(release)
  }

  return {
    /** Holds of all sellers, newest first. */
    async listHolds({ page, ...filter }: ReserveHoldsQuery) {
      return toListResponse(await read.reserveHolds.list(filter, page), page, reserveHoldView)
    },

    /**
     * Gives back what is left of one hold, at once. Of several at the same time one does it.
     * Throws reserve_hold.not_found, reserve_hold.frozen while a dispute runs, and reserve_hold.not_held.
     */
    async releaseHold(actor: Actor, id: string): Promise<HoldView> {
      return transact(async (tx) => {
        const hold = await tx.reserveHolds.lock(id)
        if (hold === undefined) throw reserveHoldErrors.not_found()
        if (hold.status === 'frozen') throw reserveHoldErrors.frozen()
        if (hold.status !== 'held') throw reserveHoldErrors.not_held()
        const now = clock.now()
        const { sellerId } = hold
        const { count, amount } = await releaseHolds(tx, [hold], 'early', now)
        invariant(count === 1, `the books cannot release the hold ${id}`)
        const after = { status: 'released', releasedAmount: amount }
        const target = { targetType: 'reserve_hold', targetId: id, sellerId }
        await tx.audit.add(
          { actor, action: 'reserve_hold.release', ...target, before: { status: hold.status }, after },
          now,
        )
        const released = await tx.reserveHolds.find(sellerId, id)
        invariant(released, `the hold ${id} is gone`)
        return reserveHoldView(released)
      })
    },

    /**
     * Begins to give back all that a seller has in reserve by now; a job does it. Asked for again while it runs, the
     * same release covers what was held since. Throws reserve_config.not_found.
     */
    async releaseAll(
      actor: Actor,
      configId: string,
      { deactivate }: ReleaseReservesBody,
      idempotency: Idempotency | undefined,
    ): Promise<ReleaseView> {
      const release = await once(idempotency, (tx) => begin(tx, actor, configId, deactivate))
      await releaseSoon()
      return release
    },

    /** The releases of one configuration, newest first. Throws reserve_config.not_found. */
    async listReleases(configId: string, { page }: ReserveReleasesQuery) {
      if ((await read.reserveConfigs.find(configId)) === undefined) throw reserveConfigErrors.not_found()
      return toListResponse(await read.reserveReleases.list(configId, page), page, reserveReleaseView)
    },
  }
}
