import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { coalesce } from '../db/coalesce.ts'
import type { HeldBooks } from '../db/held-books.ts'
import { type PageRequest, toListResponse } from '../db/page.ts'
import type { Actor } from '../domain/actor.ts'
import { toTimestamp, toTimestampOrNull } from '../domain/timestamp.ts'
import type { NewId } from '../ids.ts'
import type { Reads, Transact } from '../repositories.ts'
import type { NotificationHandlers } from './notification-routing.ts'
import { createEventProcessor } from './process-provider-events.ts'
import type { Callback } from './provider.port.ts'
import type { ProviderRegistry } from './provider.registry.ts'
import { callbackErrors, providerEventErrors } from './provider-events.errors.ts'
import type { ProviderEvent, ProviderEventFilter } from './provider-events.repository.ts'

const STORE_BATCH_MAX = 500
/** A callback is processed right after it is stored. The job looks at it only when that has not happened by then. */
const LEFT_BEHIND_MS = 30_000

type Dependencies = {
  read: Pick<Reads, 'providerEvents'>
  transact: Transact
  providers: ProviderRegistry
  handlers: NotificationHandlers
  clock: Clock
  newId: NewId
  heldBooks: HeldBooks
  logger: Pick<FastifyBaseLogger, 'error'>
}

/** A stored callback as administrators see it. */
export const providerEventView = (event: ProviderEvent) => ({
  id: event.id,
  provider: event.provider,
  status: event.status,
  failure: event.failure,
  body: event.body,
  bodyHash: event.bodyHash,
  timesReceived: event.timesReceived,
  attempts: event.attempts,
  nextAttemptAt: toTimestampOrNull(event.nextAttemptAt),
  receivedAt: toTimestamp(event.receivedAt),
  processedAt: toTimestampOrNull(event.processedAt),
})

const createInFlight = () => {
  const inFlight = new Set<Promise<void>>()
  return {
    track: (work: Promise<unknown>): Promise<void> => {
      const tracked = work.then(() => undefined).finally(() => inFlight.delete(tracked))
      inFlight.add(tracked)
      return tracked
    },
    idle: async (): Promise<void> => {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

/** The inbox of providers' callbacks: authenticated, stored as they came, then processed once. */
export const createProviderEventsService = (dependencies: Dependencies) => {
  const { read, transact, providers, clock, newId } = dependencies
  const processor = createEventProcessor(dependencies)
  const { track, idle } = createInFlight()

  const store = coalesce<ProviderEvent, boolean>(
    (events) =>
      transact(async (tx) => {
        const fresh = await tx.providerEvents.insertMany(events)
        await tx.providerEvents.updateTimesReceived(events.filter(({ id }) => !fresh.has(id)))
        return events.map(({ id }) => ({ ok: true as const, value: fresh.has(id) }))
      }),
    { name: 'provider-events.store', maxBatch: STORE_BATCH_MAX },
  )

  const eventOf = (provider: string, body: string): ProviderEvent => {
    const now = clock.now()
    return {
      id: newId(),
      provider,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      // Postgres holds no NUL in text. Such a body is no JSON either, so nothing readable is lost.
      body: body.replaceAll('\u0000', '\ufffd'),
      status: 'received',
      timesReceived: 1,
      attempts: 0,
      nextAttemptAt: new Date(now.getTime() + LEFT_BEHIND_MS),
      failure: null,
      receivedAt: now,
      processedAt: null,
    }
  }

  return {
    /**
     * Takes a callback in. The promise settles when it is durable, which is when the provider may be answered;
     * `processed` settles when it has been worked on. The same body again is only counted.
     *
     * Throws callback.provider_unknown (404) and callback.signature_invalid (401).
     */
    async receive(providerName: string, callback: Callback): Promise<{ processed: Promise<void> }> {
      const provider = providers.find(providerName)
      if (provider === undefined) throw callbackErrors.provider_unknown()
      if (!provider.callbacks.authenticate(callback)) throw callbackErrors.signature_invalid()
      const event = eventOf(providerName, callback.body)
      const isNew = await store(event)
      return { processed: isNew ? track(processor.process(event)) : Promise.resolve() }
    },

    /** Settles when everything taken in so far has been worked on. For a calm shutdown. */
    idle,

    async list({ page, ...filter }: ProviderEventFilter & { page: PageRequest }) {
      return toListResponse(await read.providerEvents.list(filter, page), page, providerEventView)
    },

    /** Processes an event again that was not processed. Throws provider_event.not_found and .already_processed. */
    async replay(actor: Actor, id: string) {
      await transact(async (tx) => {
        const event = await tx.providerEvents.lock(id)
        if (event === undefined) throw providerEventErrors.not_found()
        if (event.status === 'processed') throw providerEventErrors.already_processed()
        const now = clock.now()
        const row = { ...event, status: 'received' as const, nextAttemptAt: now, processedAt: null }
        await tx.providerEvents.moveMany([{ from: event.status, row }])
        await tx.audit.add(
          {
            actor,
            action: 'provider_event.replay',
            targetType: 'provider_event',
            targetId: id,
            before: { status: event.status },
            after: { status: 'received' },
          },
          now,
        )
      })
      const waiting = await read.providerEvents.find(id)
      if (waiting) await processor.process(waiting)
      const after = await read.providerEvents.find(id)
      if (after === undefined) throw providerEventErrors.not_found()
      return providerEventView(after)
    },

    jobs: { processProviderEvents: { runOnce: processor.runOnce } },
  }
}

export type ProviderEventsService = ReturnType<typeof createProviderEventsService>
