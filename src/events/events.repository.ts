import { asc, isNull, sql } from 'drizzle-orm'
import { dailyTotals } from '../daily-totals/counting.ts'
import { uuids, words } from '../db/arrays.ts'
import type { Writer } from '../db/client.ts'
import { instantOf, sendWrite, statement } from '../db/statement.ts'
import { invariant } from '../domain/invariant.ts'
import type { NewId } from '../ids.ts'
import { currentTrace } from '../tracing.ts'
import type { EventType } from './event-types.ts'
import { createEventsQueries, summary, type WaitingEvent } from './events.queries.ts'
import { events } from './events.tables.ts'

/** Rises when the shape of event bodies changes in a way that receivers must know. */
export const EVENT_API_VERSION = '2026-11-01'

/** Something that happened to a seller's thing. `data` is the thing as the API shows it, with documents masked. */
export type NewEvent = {
  type: EventType
  sellerId: string
  data: object
  /** The trace that it belongs to. Left out: that of the transaction. */
  trace?: string | undefined
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

/** `onAdded` is called for every event that is written, long before it is committed. */
export const createEventsRepository = (db: Writer, newId: NewId, onAdded: () => void = () => undefined) => ({
  ...createEventsQueries(db),

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
      with changed as (
        update events set fanned_out_at = ${now.toISOString()}
        from json_to_recordset(${keys}::json) as given(seller_id uuid, id uuid)
        where events.seller_id = given.seller_id and events.id = given.id returning old, new
      ) ${sql.raw(dailyTotals('update'))}`)
  },

  /** Writes events into the transaction that did the work. Their ids are the `webhook-id` of every delivery. */
  async add(newEvents: readonly NewEvent[], now: Date): Promise<void> {
    if (newEvents.length === 0) return
    const ids = newEvents.map(newId)
    const createdAt = now.toISOString()
    const bodies = newEvents.map((event, index) => bodyAt(createdAt, ids[index] ?? '', event))
    // A body is JSON on one line. As lines of one text they travel as they are: quoted in an array or in another JSON
    // each of their quotation marks would be escaped here and unescaped there, which costs more than storing them.
    // In the list of columns arrays are walked through side by side. As a table, all of each would be stored first.
    const current = currentTrace() ?? null
    const insert = statement`
      insert into events (seller_id, id, type, body, created_at, trace)
      select unnest(${uuids(newEvents.map(({ sellerId }) => sellerId))}), unnest(${uuids(ids)}),
        unnest(${words(newEvents.map(({ type }) => type))}),
        unnest(string_to_array(${bodies.join('\n')}, chr(10))), ${instantOf(now)},
        unnest(${words(newEvents.map(({ trace }) => trace ?? current))})`
    await sendWrite(db, insert)
    onAdded()
  },

  /** Writes other texts over those of a seller's events: what is sent again is these, signed anew. */
  async updateBodies(sellerId: string, changed: readonly { id: string; body: string }[]): Promise<void> {
    if (changed.length === 0) return
    await db.execute(sql`
      update events set body = given.body
      from json_to_recordset(${JSON.stringify(changed)}::json) as given(id uuid, body text)
      where events.seller_id = ${sellerId} and events.id = given.id`)
  },

  /** Writes an event whose deliveries the caller makes in the same transaction, and answers it. */
  async addFannedOut(event: NewEvent, now: Date): Promise<WaitingEvent> {
    const added = { sellerId: event.sellerId, id: newId(), type: event.type, createdAt: now }
    await db.insert(events).values({ ...added, body: eventBody(added.id, event, now), trace: currentTrace() ?? null })
    await this.markFannedOut([added], now)
    onAdded()
    return added
  },
})
