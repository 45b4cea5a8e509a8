import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Centavos } from '../../domain/money.ts'
import { reserveReleases } from './reserves.tables.ts'

export type ReserveRelease = typeof reserveReleases.$inferSelect

export const createReserveReleasesQueries = (db: Reader) => ({
  /** The releases of one configuration, newest first. */
  async list(reserveConfigId: string, page: PageRequest): Promise<Page<ReserveRelease>> {
    const where = eq(reserveReleases.reserveConfigId, reserveConfigId)
    return readPage({ db, table: reserveReleases, id: reserveReleases.id, where }, page)
  },
})

export const createReserveReleasesRepository = (db: Writer) => ({
  ...createReserveReleasesQueries(db),

  /** Begins a release, or has the one that runs for this seller cover what was held since. Answers that which runs. */
  async insertOrExtend(release: ReserveRelease): Promise<ReserveRelease> {
    const { heldUntil, updatedAt } = release
    const [running] = await db
      .insert(reserveReleases)
      .values(release)
      .onConflictDoUpdate({
        target: reserveReleases.sellerId,
        targetWhere: isNull(reserveReleases.completedAt),
        set: { heldUntil, updatedAt },
      })
      .returning()
    invariant(running, 'a release was neither begun nor extended')
    return running
  },

  /** Locks the release that nobody has worked on for the longest time, so that one which is stuck holds up no other. */
  async lockNext(): Promise<ReserveRelease | undefined> {
    const [release] = await db
      .select()
      .from(reserveReleases)
      .where(isNull(reserveReleases.completedAt))
      .orderBy(asc(reserveReleases.updatedAt))
      .limit(1)
      .for('update', { skipLocked: true })
    return release
  },

  /** Notes one batch of a locked release. */
  async advance(
    id: string,
    { count, amount, isDone }: { count: number; amount: Centavos; isDone: boolean },
    now: Date,
  ): Promise<void> {
    await db
      .update(reserveReleases)
      .set({
        releasedCount: sql`${reserveReleases.releasedCount} + ${count}`,
        releasedAmount: sql`${reserveReleases.releasedAmount} + ${amount}`,
        updatedAt: now,
        ...(isDone ? { completedAt: now } : {}),
      })
      .where(eq(reserveReleases.id, id))
  },
})
