import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { EVENTS_KEPT_MS } from '../../domain/webhook.ts'
import type { EventRow } from '../../events/events.queries.ts'
import type { Reads } from '../../repositories.ts'
import { eventErrors } from './events.errors.ts'
import type { EventsQuery } from './events.schemas.ts'

type Dependencies = { read: Pick<Reads, 'events'>; clock: Clock }

type EventView = { id: string; type: string; createdAt: string; apiVersion: string; data: Record<string, unknown> }

// The body was made by eventBody and is never anything else.
const eventView = ({ body }: EventRow): EventView => JSON.parse(body) as EventView

/** What happened to a seller's things in the last 30 days. */
export const createEventsService = ({ read, clock }: Dependencies) => {
  const keptSince = (): Date => new Date(clock.now().getTime() - EVENTS_KEPT_MS)

  return {
    /** Newest first. */
    async list(actor: Actor, { page, type, from, to }: EventsQuery) {
      const since = new Date(Math.max(from?.getTime() ?? 0, keptSince().getTime()))
      const filter = { sellerId: actor.sellerId, types: type, from: since, to }
      return toListResponse(await read.events.list(filter, page), page, eventView)
    },

    /** One event, with the very text that is delivered. Throws event.not_found. */
    async get(actor: Actor, id: string): Promise<{ view: EventView; body: string }> {
      const event = await read.events.find(actor.sellerId, id, keptSince())
      if (event === undefined) throw eventErrors.not_found()
      return { view: eventView(event), body: event.body }
    },
  }
}

export type EventsService = ReturnType<typeof createEventsService>
