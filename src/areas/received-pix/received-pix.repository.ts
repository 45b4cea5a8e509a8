import { and, asc, count, eq, inArray, isNull, lte, min, or, type SQL } from 'drizzle-orm'
import { isAnyOf } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { moveMany, moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { insertMany } from '../../db/write.ts'
import type { Period } from '../../domain/period.ts'
import { type ReceivedPixStatus, receivedPixLifecycle } from './received-pix.statuses.ts'
import { receivedPix } from './received-pix.tables.ts'

export type ReceivedPix = typeof receivedPix.$inferSelect

export type ReceivedPixFilter = Period & {
  status?: readonly ReceivedPixStatus[] | undefined
  provider?: string | undefined
}

const whereOf = ({ status, provider, from, to }: ReceivedPixFilter): SQL | undefined =>
  and(
    status === undefined ? undefined : inArray(receivedPix.status, [...status]),
    provider === undefined ? undefined : eq(receivedPix.provider, provider),
    madeWithin({ createdAt: receivedPix.createdAt, id: receivedPix.id }, { from, to }),
  )

/** How long a provider that was asked for a refund is left to work on it. */
const RETRY_MS = 60_000

export const createReceivedPixQueries = (db: Reader) => ({
  list: (filter: ReceivedPixFilter, request: PageRequest): Promise<Page<ReceivedPix>> =>
    readPage({ db, table: receivedPix, id: receivedPix.id, where: whereOf(filter) }, request),

  /** How many wait for a decision, and since when the oldest does. */
  async findOpen(): Promise<{ count: number; since: Date | null }> {
    const [row] = await db
      .select({ count: count(), since: min(receivedPix.createdAt) })
      .from(receivedPix)
      .where(eq(receivedPix.status, 'open'))
    return { count: row?.count ?? 0, since: row?.since ?? null }
  },
})

export const createReceivedPixRepository = (db: Writer) => ({
  ...createReceivedPixQueries(db),

  /** Notes money that came in. What is noted already stays as it is. */
  async insertMany(rows: readonly ReceivedPix[]): Promise<void> {
    await insertMany(db, receivedPix, rows, { onConflict: 'skip' })
  },

  /** Locks what came in under these end-to-end ids, in their order. */
  async lockMany(provider: string, endToEndIds: readonly string[]): Promise<ReceivedPix[]> {
    return db
      .select()
      .from(receivedPix)
      .where(and(eq(receivedPix.provider, provider), isAnyOf(receivedPix.endToEndId, endToEndIds)))
      .orderBy(asc(receivedPix.endToEndId))
      .for('update')
  },

  /** Locks what came in under this end-to-end id, at whichever provider. */
  async lockByEndToEndId(endToEndId: string): Promise<ReceivedPix | undefined> {
    const [row] = await db.select().from(receivedPix).where(eq(receivedPix.endToEndId, endToEndId)).for('update')
    return row
  },

  /** Takes what is to go back to its payer and is not being worked on, oldest first. */
  async claimRefunding(limit: number, now: Date): Promise<ReceivedPix[]> {
    const before = new Date(now.getTime() - RETRY_MS)
    const rows = await db
      .select({ id: receivedPix.id })
      .from(receivedPix)
      .where(
        and(
          eq(receivedPix.status, 'refunding'),
          or(isNull(receivedPix.lastAttemptAt), lte(receivedPix.lastAttemptAt, before)),
        ),
      )
      .orderBy(asc(receivedPix.id))
      .limit(limit)
      .for('update', { skipLocked: true })
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    return db.update(receivedPix).set({ lastAttemptAt: now }).where(isAnyOf(receivedPix.id, ids)).returning()
  },

  /** Moves one on. Undefined: it stands elsewhere by now. */
  async move(
    { id }: Pick<ReceivedPix, 'id'>,
    { from, to, ...changes }: { from: ReceivedPixStatus; to: ReceivedPixStatus } & Partial<ReceivedPix>,
  ): Promise<ReceivedPix | undefined> {
    const where = eq(receivedPix.id, id)
    const [row] = await moveWhere(db, receivedPix, receivedPixLifecycle, { from, to, changes, where })
    return row
  },

  /** Writes locked rows as they are to stand. */
  async moveMany(rows: readonly { from: ReceivedPixStatus; row: ReceivedPix }[]): Promise<void> {
    await moveMany(db, receivedPix, receivedPixLifecycle, rows, {
      keys: ['provider', 'endToEndId'],
      set: ['reason', 'sellerId', 'paymentId', 'updatedAt'],
    })
  },
})
