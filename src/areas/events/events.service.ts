import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { EventRow } from '../../events/events.repository.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { Reads } from '../../repositories.ts'
import { eventErrors } from './events.errors.ts'
import type { EventsQuery } from './events.schemas.ts'

type Dependencies = { read: Pick<Reads, 'events'>; clock: Clock }

type EventView = { id: string; type: string; createdAt: string; apiVersion: string; data: Record<string, unknown> }

const KEPT_MS = 30 * 86_400_000

// The body was made by eventBody and is never anything else.
const eventView = ({ body }: EventRow): EventView => JSON.parse(body) as EventView

/** What happened to a seller's things in the last 30 days. */
export const createEventsService = ({ read, clock }: Dependencies) => {
  const keptSince = (): Date => new Date(clock.now().getTime() - KEPT_MS)

  return {
    /** Newest first. */
    async list(actor: Actor, query: EventsQuery) {
      const request = pageRequest(query)
      const { from, to } = periodOf(query)
      const since = new Date(Math.max(from?.getTime() ?? 0, keptSince().getTime()))
      const filter = { sellerId: actor.userId, types: query.type, from: since, to }
      return toListResponse(await read.events.list(filter, request), request, eventView)
    },

    /** One event, with the very text that is delivered. Throws event.not_found. */
    async get(actor: Actor, id: string): Promise<{ view: EventView; body: string }> {
      const event = await read.events.find(actor.userId, id, keptSince())
      if (event === undefined) throw eventErrors.not_found()
      return { view: eventView(event), body: event.body }
    },
  }
}

export type EventsService = ReturnType<typeof createEventsService>
