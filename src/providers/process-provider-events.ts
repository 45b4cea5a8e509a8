import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { coalesce, QueueFullError } from '../db/coalesce.ts'
import type { Reads, Repositories, Transact } from '../repositories.ts'
import { type Delivery, type NoticeHandlers, type NoticeOutcome, routeNotices } from './notice-routing.ts'
import { UnreadableCallbackError } from './provider.port.ts'
import type { ProviderRegistry } from './provider.registry.ts'
import type { ProviderEvent } from './provider-events.repository.ts'

const BATCH_MAX = 100
/** While the database works on one batch, the next one is judged. Those of one seller wait for each other at its book. */
const BATCHES_AT_A_TIME = 2
/** Callbacks that are stored and wait here for their turn, as ids. What comes beyond waits in the database for the job. */
const WAITING_MAX = 10_000
/** How long a callback that matches nothing, or cannot be processed, is tried again by itself. */
const RETRY_MS = 24 * 3_600_000
const DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000] as const
const DELAY_LAST_MS = 3_600_000

type Dependencies = {
  read: Pick<Reads, 'providerEvents'>
  transact: Transact
  providers: ProviderRegistry
  handlers: NoticeHandlers
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error'>
}

const retryAt = ({ attempts, receivedAt }: ProviderEvent, now: Date, waits: boolean): Date | null => {
  const at = now.getTime() + (DELAYS_MS[attempts] ?? DELAY_LAST_MS)
  return waits || at <= receivedAt.getTime() + RETRY_MS ? new Date(at) : null
}

type Ended = Pick<ProviderEvent, 'status' | 'failure'>

const retried = (event: ProviderEvent, ended: Ended, now: Date, waits = false): ProviderEvent => ({
  ...event,
  ...ended,
  attempts: event.attempts + 1,
  nextAttemptAt: retryAt(event, now, waits),
})

const finished = (event: ProviderEvent, ended: Ended, now: Date): ProviderEvent => ({
  ...event,
  ...ended,
  attempts: event.attempts + 1,
  nextAttemptAt: null,
  processedAt: now,
})

const reasonOf = (outcomes: readonly NoticeOutcome[]): string | null => {
  const first = outcomes.find((outcome) => 'reason' in outcome)
  return first && 'reason' in first ? (first.reason ?? null) : null
}

// One callback may tell several things: it is done when all are, and ignored only when nothing in it changed anything.
const ended = (event: ProviderEvent, outcomes: readonly NoticeOutcome[], now: Date): ProviderEvent => {
  const failure = reasonOf(outcomes)
  const unmatched = outcomes.filter((outcome) => outcome.status === 'unmatched')
  const waits = unmatched.some((outcome) => outcome.waits)
  if (unmatched.length > 0) return retried(event, { status: 'unmatched', failure }, now, waits)
  const isIgnored = outcomes.every(({ status }) => status === 'ignored')
  return finished(event, isIgnored ? { status: 'ignored', failure } : { status: 'processed', failure: null }, now)
}

/** Processes stored callbacks, up to a hundred in one transaction, each once. */
export const createEventProcessor = (dependencies: Dependencies) => {
  const { read, transact, providers, handlers, clock, logger } = dependencies

  const deliveriesOf = (event: ProviderEvent): Delivery[] | undefined => {
    try {
      const notices = providers.find(event.provider)?.parseCallback(event.body)
      return notices?.map((notice) => ({ provider: event.provider, notice }))
    } catch (error) {
      if (error instanceof UnreadableCallbackError) return undefined
      throw error
    }
  }

  const processClaimed = async (tx: Repositories, events: readonly ProviderEvent[]): Promise<void> => {
    const now = clock.now()
    const read = events.map((event) => ({ event, deliveries: deliveriesOf(event) }))
    const deliveries = read.flatMap((one) => one.deliveries ?? [])
    await routeNotices(tx, deliveries, { handlers, now })
    await tx.providerEvents.updateMany(
      read.map(({ event, deliveries: mine }) =>
        mine === undefined
          ? finished(event, { status: 'failed', failure: 'unreadable' }, now)
          : ended(
              event,
              mine.flatMap(({ outcome }) => outcome ?? []),
              now,
            ),
      ),
    )
  }

  const noteFailure = (id: string): Promise<void> =>
    transact(async (tx) => {
      const [event] = await tx.providerEvents.claimMany([id])
      if (event === undefined) return
      const failed = retried(event, { status: 'failed', failure: 'processing_failed' }, clock.now())
      await tx.providerEvents.updateMany([failed])
    })

  const processOne = coalesce<string, void>(
    async (ids) => {
      await transact(async (tx) => {
        const claimed = await tx.providerEvents.claimMany(ids)
        if (claimed.length > 0) await processClaimed(tx, claimed)
      })
      return ids.map(() => ({ ok: true, value: undefined }))
    },
    { maxBatch: BATCH_MAX, maxWaiting: WAITING_MAX, concurrency: BATCHES_AT_A_TIME },
  )

  /**
   * Processes one event if it still waits. Never throws: what breaks is noted on the event and tried again. False: there
   * was no place in the queue, and the event stays as it is until the job comes to it.
   */
  const process = async (id: string): Promise<boolean> => {
    try {
      await processOne(id)
    } catch (error) {
      if (error instanceof QueueFullError) return false
      logger.error({ providerEventId: id, err: error }, 'a callback could not be processed')
      await noteFailure(id).catch((again: unknown) =>
        logger.error({ providerEventId: id, err: again }, 'the failure of a callback could not be noted'),
      )
    }
    return true
  }

  return {
    process,

    /** One batch of what waits: left by a crash, unmatched so far, or failed. Answers how many were looked at. */
    async runOnce(): Promise<number> {
      const due = await read.providerEvents.listDueIds(clock.now(), BATCH_MAX)
      const looked = await Promise.all(due.map(process))
      return looked.filter(Boolean).length
    },
  }
}
