import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { IN_FLIGHT_MAX } from '../../domain/webhook-breaker.ts'
import { createSignal } from '../../signal.ts'
import type { ClaimedDelivery } from './claim.ts'
import { createDeliver, type DeliverDependencies, type Outcome } from './deliver.ts'
import { createRecordBatches } from './record-batches.ts'
import { createRecordEnds, type LeaseEnd, type RecordEndsDependencies } from './record-ends.ts'
import { createSendQueue } from './send-queue.ts'
import { tracedDelivery } from './traced-delivery.ts'
import type { PaceUnproven } from './unproven-pace.ts'

type Dependencies = DeliverDependencies &
  RecordEndsDependencies & { logger: Pick<FastifyBaseLogger, 'error'>; paceUnproven: PaceUnproven }

const LATER_MS = 30_000

/** An endpoint that answers at once is handed this much work in advance, so that claiming does not slow it down. */
const HELD_IN_ADVANCE_MS = 250
const HELD_PER_ENDPOINT_MAX = 200
const PACES_MAX = 10_000

const paceAfter = ({ kind, durationMs }: Outcome): number => {
  if (kind !== 'succeeded') return IN_FLIGHT_MAX
  const fitting = Math.floor((IN_FLIGHT_MAX * HELD_IN_ADVANCE_MS) / Math.max(1, durationMs))
  return Math.min(Math.max(fitting, IN_FLIGHT_MAX), HELD_PER_ENDPOINT_MAX)
}

/** What this process has done so far and does now. */
export type EngineCounts = {
  /** Attempts by result: `succeeded`, `rejected` or what went wrong. */
  attempts: Record<string, number>
  /** Deliveries whose lease had ended before they were recorded. */
  staleCount: number
}

/** Holds claimed deliveries from their claim until they are recorded. */
export const createSender = (dependencies: Dependencies) => {
  const { deadlineMs, logger, paceUnproven } = dependencies
  const paces = new LRUCache<string, number>({ max: PACES_MAX })
  const counts: EngineCounts = { attempts: {}, staleCount: 0 }
  const recorded = createSignal()
  let heldCount = 0
  let stopping = false
  let abandoned = false

  const deliver = createDeliver(dependencies)
  const recording = createRecordBatches({
    recordEnds: createRecordEnds(dependencies),
    logger,
    onRecorded: (staleCount) => {
      counts.staleCount += staleCount
    },
  })

  const record = (end: LeaseEnd): void => {
    // The database may be gone by now: the lease ends by itself.
    if (abandoned) return
    void recording.add(end).then(() => {
      heldCount -= 1
      recorded.notify()
    })
  }

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const outlastsCall = delivery.leasedUntilMs - performance.now() > deadlineMs
    if (stopping || !outlastsCall) return record({ delivery, returnAfterMs: 0 })
    try {
      const returnAfterMs = await paceUnproven(delivery.endpoint)
      if (returnAfterMs > 0) return record({ delivery, returnAfterMs })
      const outcome = await tracedDelivery(delivery, deliver)
      paces.set(delivery.webhookId, paceAfter(outcome))
      counts.attempts[outcome.result] = (counts.attempts[outcome.result] ?? 0) + 1
      record({ delivery, outcome })
    } catch (error) {
      // Our own fault, a secret that cannot be opened perhaps: no attempt of the receiver's is burnt for it.
      logger.error({ err: error, webhookId: delivery.webhookId }, 'a webhook delivery could not be sent')
      record({ delivery, returnAfterMs: LATER_MS })
    }
  }
  const queue = createSendQueue({ perEndpointMax: IN_FLIGHT_MAX, send })

  return {
    counts,
    activeCount: queue.activeCount,
    heldCount: (): number => heldCount,
    /** How many deliveries of an endpoint are worth holding. */
    paceOf: (webhookId: string): number => paces.get(webhookId) ?? IN_FLIGHT_MAX,
    add: (claimed: readonly ClaimedDelivery[]): void => {
      heldCount += claimed.length
      queue.add(claimed)
    },
    /** Gives back everything that is not yet being sent, now and from now on. */
    stop: (): void => {
      stopping = true
      for (const delivery of queue.takeUnsent()) record({ delivery, returnAfterMs: 0 })
    },
    /** Records nothing that ends from now on. */
    abandon: (): void => {
      abandoned = true
    },
    /** Calls back whenever a delivery was recorded. Answers the function that ends it. */
    subscribe: recorded.subscribe,
  }
}
