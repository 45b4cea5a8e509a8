import type { Clock } from '../../clock.ts'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { keepPartitions } from '../../db/keep-partitions.ts'
import { EVENTS_KEPT_MS } from '../../domain/webhook.ts'
import type { Reads, Transact } from '../../repositories.ts'

type Dependencies = { read: Pick<Reads, 'partitions'>; transact: Transact; clock: Clock }

const BATCH_MAX = 5_000
const COLUMNS = ['seller_id', 'id']
const EVENTS = { name: 'events', key: 'id', every: 'month', columns: COLUMNS, follow: dailyTotals } as const
const ATTEMPTS = { name: 'webhook_attempts', key: 'id', every: 'month', columns: COLUMNS } as const

/** Deletes deliveries of events that are older than 30 days, and drops the months of events and attempts before that. */
export const createPurgeEvents = ({ read, transact, clock }: Dependencies) => ({
  /** One batch. Answers how many rows and months it deleted. */
  async runOnce(): Promise<number> {
    const now = clock.now()
    const before = new Date(now.getTime() - EVENTS_KEPT_MS)
    const deliveries = await transact((tx) => tx.webhookDeliveries.deleteOfEventsBefore(before, BATCH_MAX))
    // An event goes after everything that was to be sent of it.
    if (deliveries > 0) return deliveries
    const attempts = await keepPartitions({ read, transact }, ATTEMPTS, { now, before })
    return attempts + (await keepPartitions({ read, transact }, EVENTS, { now, before }))
  },
})
