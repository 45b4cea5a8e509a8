import { EVENTS_KEPT_MS } from '../../areas/seller-webhooks/webhook-deliveries.service.ts'
import type { Clock } from '../../clock.ts'
import type { Transact } from '../../repositories.ts'

type Dependencies = { transact: Transact; clock: Clock }

const BATCH_MAX = 500

/** Deletes events that are older than 30 days, with their deliveries and attempts. */
export const createPurgeEvents = ({ transact, clock }: Dependencies) => ({
  /** One batch. Answers how many events it deleted. */
  runOnce: (): Promise<number> =>
    transact(async (tx) => {
      const before = new Date(clock.now().getTime() - EVENTS_KEPT_MS)
      const old = await tx.events.lockOlderThan(before, BATCH_MAX)
      if (old.length === 0) return 0
      await tx.webhookDeliveries.deleteOfEvents(old)
      await tx.events.deleteAll(old)
      return old.length
    }),
})
