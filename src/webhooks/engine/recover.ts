import type { Clock } from '../../clock.ts'
import { matchesEvent } from '../../events/event-filters.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { RecoveryRow } from './webhook-recoveries.repository.ts'

type Dependencies = { transact: Transact; clock: Clock; newId: NewId; batchMax?: number }

const BATCH_MAX = 1_000

/**
 * Works off what sellers asked for: that missed events are sent again. A batch and the place it ends at are one transaction,
 * so that an interruption neither leaves a gap nor sends twice.
 */
export const createRecover = ({ transact, clock, newId, batchMax = BATCH_MAX }: Dependencies) => {
  const recoverBatch = async (tx: Repositories, recovery: RecoveryRow): Promise<number> => {
    const { sellerId, webhookId, since, createdAt: to, cursorEventId } = recovery
    const webhook = await tx.sellerWebhooks.lock(sellerId, webhookId)
    const now = clock.now()
    if (webhook === undefined) {
      await tx.webhookRecoveries.updateProgress(recovery, { ...recovery, finishedAt: now })
      return 0
    }
    const seen = await tx.events.listFannedOut({ sellerId, from: since, to }, cursorEventId, batchMax)
    const candidates = seen.filter(({ type }) => matchesEvent(webhook.events, type))
    const replays = await tx.webhookDeliveries.listMissed(webhookId, candidates)
    const deliveries = candidates.flatMap((event) => {
      const replayNumber = replays.get(event.id)
      if (replayNumber === undefined) return []
      return [
        { sellerId, id: newId(), webhookId, eventId: event.id, eventType: event.type, replayNumber, createdAt: now },
      ]
    })
    await tx.webhookDeliveries.insertDue(deliveries)
    await tx.webhookRecoveries.updateProgress(recovery, {
      cursorEventId: seen.at(-1)?.id ?? cursorEventId,
      resentCount: recovery.resentCount + deliveries.length,
      finishedAt: seen.length < batchMax ? now : null,
    })
    return seen.length
  }

  return {
    /** One batch of one recovery. Answers how many recoveries it worked on: 0 or 1. */
    runOnce: (): Promise<number> =>
      transact(async (tx) => {
        const recovery = await tx.webhookRecoveries.claim()
        if (recovery === undefined) return 0
        await recoverBatch(tx, recovery)
        return 1
      }),
  }
}

export type Recover = ReturnType<typeof createRecover>
