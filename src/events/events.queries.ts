import { and, asc, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { countTotal } from '../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../db/client.ts'
import { madeWithin } from '../db/id-period.ts'
import type { Page, PageRequest } from '../db/page.ts'
import { readPage } from '../db/paging.ts'
import { events } from './events.tables.ts'

export type EventRow = typeof events.$inferSelect
/** What the fan-out needs of an event. */
export type WaitingEvent = Pick<EventRow, 'sellerId' | 'id' | 'type' | 'createdAt'>

export type EventFilter = {
  sellerId: string
  types?: readonly string[] | undefined
  /** Half open, on createdAt. */
  from?: Date | undefined
  to?: Date | undefined
}

const selected = ({ sellerId, types, from, to }: EventFilter): SQL | undefined =>
  and(
    eq(events.sellerId, sellerId),
    types === undefined || types.length === 0 ? undefined : inArray(events.type, [...types]),
    madeWithin(events, { from, to }),
  )

export const summary = { sellerId: events.sellerId, id: events.id, type: events.type, createdAt: events.createdAt }

export const createEventsQueries = (db: Reader) => ({
  /** When the oldest event was made that still waits for its deliveries. */
  async findOldestWaiting(): Promise<Date | undefined> {
    const [oldest] = await db
      .select({ createdAt: events.createdAt })
      .from(events)
      .where(isNull(events.fannedOutAt))
      .orderBy(asc(events.id))
      .limit(1)
    return oldest?.createdAt
  },

  /** A seller's events in the order of their ids, from behind `afterId`, whose deliveries have been made. */
  async listFannedOut(filter: EventFilter, afterId: string, limit: number): Promise<WaitingEvent[]> {
    return db
      .select(summary)
      .from(events)
      .where(
        and(
          selected(filter),
          sql`${events.id} > ${afterId}`,
          sql`${events.fannedOutAt} is not null`,
          ne(events.type, 'webhook.test'),
        ),
      )
      .orderBy(asc(events.id))
      .limit(limit)
  },

  /** A seller's event that was made at or after `since`. */
  async find(sellerId: string, id: string, since: Date): Promise<EventRow | undefined> {
    const [event] = await db
      .select()
      .from(events)
      .where(and(selected({ sellerId, from: since }), eq(events.id, id)))
    return event
  },

  /** The newest of a seller's events. */
  async listNewest(sellerId: string, limit: number): Promise<EventRow[]> {
    return db.select().from(events).where(eq(events.sellerId, sellerId)).orderBy(desc(events.id)).limit(limit)
  },

  /** Newest first. */
  async list(filter: EventFilter, page: PageRequest): Promise<Page<EventRow>> {
    const { types, ...scope } = filter
    const count = () => countTotal(db, 'event', scope, { type: types })
    return readPage({ db, table: events, id: events.id, where: selected(filter), count }, page)
  },
})
