import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { dailyTotals } from '../daily-totals/counting.ts'
import { countTotal } from '../daily-totals/daily-totals.queries.ts'
import { isAnyOf } from '../db/arrays.ts'
import type { Reader, Writer } from '../db/client.ts'
import { madeWithin } from '../db/id-period.ts'
import { type Moved, moveMany } from '../db/move.ts'
import type { Page, PageRequest } from '../db/page.ts'
import { readPage } from '../db/paging.ts'
import { insertNew } from '../db/write.ts'
import type { Period } from '../domain/period.ts'
import { type ProviderEventStatus, providerEventLifecycle } from './provider-events.statuses.ts'
import { providerEvents } from './provider-events.tables.ts'

export type ProviderEvent = typeof providerEvents.$inferSelect

export type ProviderEventFilter = Period & {
  status?: readonly ProviderEventStatus[] | undefined
  provider?: string | undefined
}

const whereOf = ({ status, provider, from, to }: ProviderEventFilter): SQL | undefined =>
  and(
    status === undefined ? undefined : inArray(providerEvents.status, [...status]),
    provider === undefined ? undefined : eq(providerEvents.provider, provider),
    madeWithin({ createdAt: providerEvents.receivedAt, id: providerEvents.id }, { from, to }),
  )

export const createProviderEventsQueries = (db: Reader) => ({
  async find(id: string): Promise<ProviderEvent | undefined> {
    const [event] = await db.select().from(providerEvents).where(eq(providerEvents.id, id))
    return event
  },

  list(filter: ProviderEventFilter, request: PageRequest): Promise<Page<ProviderEvent>> {
    const { provider, status, ...period } = filter
    const count = provider === undefined ? () => countTotal(db, 'provider_event', period, { status }) : undefined
    return readPage({ db, table: providerEvents, id: providerEvents.id, where: whereOf(filter), count }, request)
  },

  async listDue(now: Date, limit: number): Promise<ProviderEvent[]> {
    return db
      .select()
      .from(providerEvents)
      .where(and(isNotNull(providerEvents.nextAttemptAt), lte(providerEvents.nextAttemptAt, now)))
      .orderBy(asc(providerEvents.nextAttemptAt))
      .limit(limit)
  },
})

export const createProviderEventsRepository = (db: Writer) => ({
  ...createProviderEventsQueries(db),

  /** Stores callbacks. One that came in before is only counted; answers the ids of those that are new. */
  async insertMany(events: readonly ProviderEvent[]): Promise<ReadonlySet<string>> {
    return new Set(await insertNew(db, providerEvents, events, { returning: 'id', follow: dailyTotals }))
  },

  async updateTimesReceived(events: readonly Pick<ProviderEvent, 'provider' | 'bodyHash'>[]): Promise<void> {
    for (const { provider, bodyHash } of events) {
      await db
        .update(providerEvents)
        .set({ timesReceived: sql`${providerEvents.timesReceived} + 1` })
        .where(and(eq(providerEvents.provider, provider), eq(providerEvents.bodyHash, bodyHash)))
    }
  },

  async lock(id: string): Promise<ProviderEvent | undefined> {
    const [event] = await db.select().from(providerEvents).where(eq(providerEvents.id, id)).for('update')
    return event
  },

  /**
   * Takes those of these events that still wait to be processed, oldest first. It waits for whoever holds one, be it only
   * to count a repeat of it: one that was left out here would lie until the job comes.
   */
  async claimMany(ids: readonly string[]): Promise<ProviderEvent[]> {
    return db
      .select()
      .from(providerEvents)
      .where(and(isAnyOf(providerEvents.id, ids), isNotNull(providerEvents.nextAttemptAt)))
      .orderBy(asc(providerEvents.id))
      .for('update')
  },

  /** Writes locked events as they are to stand. Throws InvariantError for one that was moved meanwhile. */
  async moveMany(moves: readonly Moved<typeof providerEvents>[]): Promise<void> {
    await moveMany(db, providerEvents, providerEventLifecycle, moves, {
      keys: ['id'],
      set: ['body', 'attempts', 'nextAttemptAt', 'failure', 'processedAt'],
      follow: dailyTotals,
    })
  },
})
