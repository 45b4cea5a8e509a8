import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { uuids, words } from '../db/arrays.ts'
import type { Executor } from '../db/client.ts'
import { madeSince } from '../db/id-period.ts'
import { readPage } from '../db/paging.ts'
import { instantOf, send, statement } from '../db/statement.ts'
import { invariant } from '../domain/invariant.ts'
import { figureCount } from '../figures/figures.queries.ts'
import type { Page, PageRequest } from '../http/pagination.ts'
import type { NewId } from '../ids.ts'
import type { EventType } from './event-types.ts'
import { events } from './events.tables.ts'

/** Rises when the shape of event bodies changes in a way that receivers must know. */
export const EVENT_API_VERSION = '2026-11-01'

/** Something that happened to a seller's thing. `data` is the thing as the API shows it, with documents masked. */
export type NewEvent = { type: EventType; sellerId: string; data: object }

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

/** Many times more than any thing of ours has: what receivers can rely on when they bound the body they read. */
export const EVENT_BODY_LENGTH_MAX = 256 * 1024

// What stands around the data are our own ids, names and instants: none has a character that JSON escapes.
const bodyAt = (createdAt: string, id: string, { type, data }: Pick<NewEvent, 'type' | 'data'>): string => {
  const head = `{"id":"${id}","type":"${type}","createdAt":"${createdAt}","apiVersion":"${EVENT_API_VERSION}","data":`
  const body = `${head}${JSON.stringify(data)}}`
  invariant(body.length <= EVENT_BODY_LENGTH_MAX, `an event ${type} is too long to be sent`)
  return body
}

/** The text that will be sent and signed: made once, at commit time. */
export const eventBody = (id: string, event: Pick<NewEvent, 'type' | 'data'>, createdAt: Date): string =>
  bodyAt(createdAt.toISOString(), id, event)

const selected = ({ sellerId, types, from, to }: EventFilter): SQL | undefined =>
  and(
    eq(events.sellerId, sellerId),
    types === undefined || types.length === 0 ? undefined : inArray(events.type, [...types]),
    madeSince(events, { from, to }),
  )

const summary = { sellerId: events.sellerId, id: events.id, type: events.type, createdAt: events.createdAt }

const createFanOutQueries = (db: Executor) => ({
  /** Events whose deliveries have yet to be made, locked; those that another process works on are left out. */
  async claimWaiting(limit: number): Promise<WaitingEvent[]> {
    return db
      .select(summary)
      .from(events)
      .where(isNull(events.fannedOutAt))
      .orderBy(asc(events.id))
      .limit(limit)
      .for('no key update', { skipLocked: true })
  },

  async markFannedOut(fannedOut: readonly WaitingEvent[], now: Date): Promise<void> {
    const keys = JSON.stringify(fannedOut.map(({ sellerId, id }) => ({ seller_id: sellerId, id })))
    await db.execute(sql`
      update events set fanned_out_at = ${now.toISOString()}
      from json_to_recordset(${keys}::json) as given(seller_id uuid, id uuid)
      where events.seller_id = given.seller_id and events.id = given.id`)
  },

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
})

/** `onAdded` is called for every event that is written, long before it is committed. */
export const createEventsRepository = (db: Executor, newId: NewId, onAdded: () => void = () => undefined) => ({
  ...createFanOutQueries(db),

  /** Writes events into the transaction that did the work. Their ids are the `webhook-id` of every delivery. */
  async add(newEvents: readonly NewEvent[], now: Date): Promise<void> {
    if (newEvents.length === 0) return
    const ids = newEvents.map(newId)
    const createdAt = now.toISOString()
    const bodies = newEvents.map((event, index) => bodyAt(createdAt, ids[index] ?? '', event))
    // A body is JSON on one line. As lines of one text they travel as they are: quoted in an array or in another JSON
    // each of their quotation marks would be escaped here and unescaped there, which costs more than storing them.
    // In the list of columns arrays are walked through side by side. As a table, all of each would be stored first.
    const insert = statement`
      insert into events (seller_id, id, type, body, created_at)
      select unnest(${uuids(newEvents.map(({ sellerId }) => sellerId))}), unnest(${uuids(ids)}),
        unnest(${words(newEvents.map(({ type }) => type))}),
        unnest(string_to_array(${bodies.join('\n')}, chr(10))), ${instantOf(now)}`
    await send(db, { ...insert, insertsInto: 'events' })
    onAdded()
  },

  /** Writes an event whose deliveries the caller makes in the same transaction, and answers it. */
  async addFannedOut(event: NewEvent, now: Date): Promise<WaitingEvent> {
    const added = { sellerId: event.sellerId, id: newId(), type: event.type, createdAt: now }
    await db.insert(events).values({ ...added, body: eventBody(added.id, event, now) })
    await this.markFannedOut([added], now)
    onAdded()
    return added
  },

  /** A seller's event that was made at or after `since`. */
  async find(sellerId: string, id: string, since: Date): Promise<EventRow | undefined> {
    const [event] = await db
      .select()
      .from(events)
      .where(and(selected({ sellerId, from: since }), eq(events.id, id)))
    return event
  },

  /** Newest first. */
  async list(filter: EventFilter, page: PageRequest): Promise<Page<EventRow>> {
    const count = figureCount(db, 'event', filter, ['types'])
    return readPage({ db, table: events, id: events.id, where: selected(filter), count }, page)
  },
})
