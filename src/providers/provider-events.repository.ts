import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { isAnyOf } from '../db/arrays.ts'
import type { Executor } from '../db/client.ts'
import { madeWithin } from '../db/id-period.ts'
import { readPage } from '../db/paging.ts'
import { insertRows, updateRows } from '../db/rows.ts'
import { figureCount } from '../figures/figures.queries.ts'
import type { Page, PageRequest } from '../http/pagination.ts'
import type { Period } from '../http/period.ts'
import type { ProviderEventStatus } from './provider-events.statuses.ts'
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

export const createProviderEventsRepository = (db: Executor) => ({
  /** Stores callbacks. One that came in before is only counted; answers the ids of those that are new. */
  async insertMany(events: readonly ProviderEvent[]): Promise<ReadonlySet<string>> {
    return new Set(await insertRows(db, providerEvents, events, { onConflict: 'skip', returning: 'id' }))
  },

  async updateTimesReceived(events: readonly Pick<ProviderEvent, 'provider' | 'bodyHash'>[]): Promise<void> {
    for (const { provider, bodyHash } of events) {
      await db
        .update(providerEvents)
        .set({ timesReceived: sql`${providerEvents.timesReceived} + 1` })
        .where(and(eq(providerEvents.provider, provider), eq(providerEvents.bodyHash, bodyHash)))
    }
  },

  async find(id: string): Promise<ProviderEvent | undefined> {
    const [event] = await db.select().from(providerEvents).where(eq(providerEvents.id, id))
    return event
  },

  async lock(id: string): Promise<ProviderEvent | undefined> {
    const [event] = await db.select().from(providerEvents).where(eq(providerEvents.id, id)).for('update')
    return event
  },

  list(filter: ProviderEventFilter, request: PageRequest): Promise<Page<ProviderEvent>> {
    const count = figureCount(db, 'provider_event', filter, ['status'])
    return readPage({ db, table: providerEvents, id: providerEvents.id, where: whereOf(filter), count }, request)
  },

  async listDueIds(now: Date, limit: number): Promise<string[]> {
    const due = await db
      .select({ id: providerEvents.id })
      .from(providerEvents)
      .where(and(isNotNull(providerEvents.nextAttemptAt), lte(providerEvents.nextAttemptAt, now)))
      .orderBy(asc(providerEvents.nextAttemptAt))
      .limit(limit)
    return due.map(({ id }) => id)
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

  async updateMany(events: readonly ProviderEvent[]): Promise<void> {
    await updateRows(db, providerEvents, events, {
      keys: ['id'],
      set: ['status', 'attempts', 'nextAttemptAt', 'failure', 'processedAt'],
    })
  },
})
