import type { Clock } from '../../clock.ts'
import { matchesEvent } from '../../events/event-filters.ts'
import type { WaitingEvent } from '../../events/events.queries.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'

/** What follows from events beside their deliveries, in the transaction that makes those: each event is followed once. */
export type FollowEvents = (tx: Repositories, events: readonly WaitingEvent[]) => Promise<void>

type Dependencies = {
  read: Pick<Reads, 'events'>
  transact: Transact
  clock: Clock
  newId: NewId
  followEvents?: FollowEvents
}

const BATCH_MAX = 500

type Listener = { sellerId: string; webhookId: string; events: readonly string[]; createdAt: Date }

// An endpoint hears of what happened after it was made; what was before it has to ask for by a recovery.
const hears = (listener: Listener, event: WaitingEvent): boolean =>
  event.type !== 'webhook.test' && listener.createdAt <= event.createdAt && matchesEvent(listener.events, event.type)

/**
 * Turns events into deliveries, one for each webhook that listens. Events are found by not having been fanned out, never
 * by a place in their order: one that commits after later ones is found like any other.
 */
export const createFanOut = ({ read, transact, clock, newId, followEvents }: Dependencies) => ({
  /** One batch. Answers how many events it took. */
  async runOnce(): Promise<number> {
    if ((await read.events.findOldestWaiting()) === undefined) return 0
    return transact(async (tx) => {
      const waiting = await tx.events.claimWaiting(BATCH_MAX)
      if (waiting.length === 0) return 0
      const now = clock.now()
      const sellerIds = [...new Set(waiting.map(({ sellerId }) => sellerId))]
      const listeners = Map.groupBy(await tx.webhookQueues.listBySellers(sellerIds), ({ sellerId }) => sellerId)
      const deliveries = waiting.flatMap((event) =>
        (listeners.get(event.sellerId) ?? [])
          .filter((listener) => hears(listener, event))
          .map(({ sellerId, webhookId }) => ({
            sellerId,
            id: newId(),
            webhookId,
            eventId: event.id,
            eventType: event.type,
            replayNumber: 0,
            createdAt: now,
          })),
      )
      await followEvents?.(tx, waiting)
      // The queues that this locks are those that are being sent from: so it comes last.
      await tx.events.markFannedOut(waiting, now)
      await tx.webhookDeliveries.insertDue(deliveries)
      return waiting.length
    })
  },
})

export type FanOut = ReturnType<typeof createFanOut>
