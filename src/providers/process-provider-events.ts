import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { QueueFullError } from '../db/coalesce.ts'
import { coalesceByBook } from '../db/coalesce-by-book.ts'
import { isLockTimeout } from '../db/errors.ts'
import { createHeldBooks, type HeldBooks } from '../db/held-books.ts'
import type { Reads, Repositories, Transact } from '../repositories.ts'
import { type NotificationHandlers, type NotificationOutcome, routeNotifications } from './notification-routing.ts'
import type { ProviderRegistry } from './provider.registry.ts'
import type { ProviderEvent } from './provider-events.repository.ts'
import { createCallbackReader, NOT_ASKED, type ReadEvent, type Reading } from './read-callback.ts'
import { withoutPeople } from './without-people.ts'

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
  handlers: NotificationHandlers
  clock: Clock
  heldBooks: HeldBooks
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

// It is kept as proof, and is read no more but for its ids: what the provider says decides.
const finished = (event: ProviderEvent, ended: Ended, now: Date): ProviderEvent => ({
  ...event,
  ...ended,
  body: withoutPeople(event.body),
  attempts: event.attempts + 1,
  nextAttemptAt: null,
  processedAt: now,
})

const reasonOf = (outcomes: readonly NotificationOutcome[]): string | null => {
  const first = outcomes.find((outcome) => 'reason' in outcome)
  return first && 'reason' in first ? (first.reason ?? null) : null
}

// One callback may tell several things: it is done when all are, and ignored only when nothing in it changed anything.
const ended = (event: ProviderEvent, outcomes: readonly NotificationOutcome[], now: Date): ProviderEvent => {
  // Not counted as an attempt: nothing was tried.
  if (outcomes.some(({ status }) => status === 'held')) {
    return { ...event, failure: 'book_held', nextAttemptAt: new Date(now.getTime() + DELAYS_MS[0]) }
  }
  const failure = reasonOf(outcomes)
  const unmatched = outcomes.filter((outcome) => outcome.status === 'unmatched')
  const waits = unmatched.some((outcome) => outcome.waits)
  if (unmatched.length > 0) return retried(event, { status: 'unmatched', failure }, now, waits)
  const isIgnored = outcomes.every(({ status }) => status === 'ignored')
  return finished(event, isIgnored ? { status: 'ignored', failure } : { status: 'processed', failure: null }, now)
}

const judged = (event: ProviderEvent, { deliveries, failure }: Reading, now: Date): ProviderEvent => {
  if (failure === 'unreadable') return finished(event, { status: 'failed', failure }, now)
  // The provider will answer some day, so this one waits for it however long that takes.
  if (failure !== null) return retried(event, { status: 'failed', failure }, now, true)
  return ended(
    event,
    deliveries.flatMap(({ outcome }) => outcome ?? []),
    now,
  )
}

type ReadOne = { id: string; reading: Reading }

// A transaction may be tried again: what came of its deliveries the time before was rolled back with it.
const anew = (reading: Reading): Reading =>
  reading.deliveries === undefined
    ? reading
    : { ...reading, deliveries: reading.deliveries.map(({ provider, notification }) => ({ provider, notification })) }

/** Processes stored callbacks, up to a hundred in one transaction, each once. */
export const createEventProcessor = (dependencies: Dependencies) => {
  const { read, transact, providers, handlers, clock, heldBooks, logger } = dependencies
  const readCallback = createCallbackReader(providers)

  type OnSellers = (sellerIds: readonly string[]) => void

  const processClaimed = async (
    tx: Repositories,
    events: readonly ProviderEvent[],
    { readings, onSellers }: { readings: ReadonlyMap<string, Reading>; onSellers: OnSellers },
  ): Promise<void> => {
    const now = clock.now()
    const read = events.map((event) => ({ event, reading: anew(readings.get(event.id) ?? NOT_ASKED) }))
    const deliveries = read.flatMap(({ reading }) => reading.deliveries ?? [])
    await routeNotifications(tx, deliveries, { handlers, now, isHeld: heldBooks.has, onSellers })
    await tx.providerEvents.moveMany(
      read.map(({ event, reading }) => ({ from: event.status, row: judged(event, reading, now) })),
    )
  }

  const noteFailure = (id: string): Promise<void> =>
    transact(async (tx) => {
      const [event] = await tx.providerEvents.claimMany([id])
      if (event === undefined) return
      const failed = retried(event, { status: 'failed', failure: 'processing_failed' }, clock.now())
      await tx.providerEvents.moveMany([{ from: event.status, row: failed }])
    })

  const processMany = async (read: readonly ReadOne[]) => {
    const readings = new Map(read.map(({ id, reading }) => [id, reading]))
    let sellers: readonly string[] = []
    const work = async (tx: Repositories): Promise<void> => {
      const claimed = await tx.providerEvents.claimMany([...readings.keys()])
      if (claimed.length === 0) return
      const onSellers = (found: readonly string[]) => {
        sellers = found
      }
      await processClaimed(tx, claimed, { readings, onSellers })
    }
    try {
      await transact(work, { patient: false })
    } catch (error) {
      // Of several events it is not known which met the lock.
      if (read.length === 1 && isLockTimeout(error)) sellers.forEach(heldBooks.note)
      throw error
    }
    return read.map(() => ({ ok: true as const, value: undefined }))
  }

  // Whose an event is, is known only once it was read: each is a book of its own here.
  const processOne = coalesceByBook<ReadOne, void>(
    processMany,
    { name: 'provider-events.process', maxBatch: BATCH_MAX, maxWaiting: WAITING_MAX, concurrency: BATCHES_AT_A_TIME },
    { bookOf: ({ id }) => id, heldBooks: createHeldBooks() },
  )

  /**
   * Processes one event if it still waits. Never throws: what breaks is noted on the event and tried again. False: there
   * was no place in the queue, or somebody holds what it is about, and the event stays as it is until the job comes to it.
   */
  const process = async (event: ReadEvent): Promise<boolean> => {
    const { id } = event
    try {
      // Before any transaction: what has to be asked of the provider waits for its network.
      const reading = readCallback(event)
      await processOne({ id, reading: reading instanceof Promise ? await reading : reading })
    } catch (error) {
      if (error instanceof QueueFullError || isLockTimeout(error)) return false
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
      const due = await read.providerEvents.listDue(clock.now(), BATCH_MAX)
      const looked = await Promise.all(due.map(process))
      return looked.filter(Boolean).length
    },
  }
}
