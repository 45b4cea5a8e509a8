import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { erasures } from './erasures.tables.ts'

export type Erasure = typeof erasures.$inferSelect

const isIt = ({ sellerId, id }: Pick<Erasure, 'sellerId' | 'id'>) =>
  and(eq(erasures.sellerId, sellerId), eq(erasures.id, id))

export const createErasuresQueries = (db: Reader) => ({
  async find(sellerId: string, id: string): Promise<Erasure | undefined> {
    const [erasure] = await db.select().from(erasures).where(isIt({ sellerId, id }))
    return erasure
  },
})

export const createErasuresRepository = (db: Writer) => ({
  ...createErasuresQueries(db),

  async insert(erasure: Erasure): Promise<void> {
    await db.insert(erasures).values(erasure)
  },

  /** Locks the oldest erasure that is not completed and that no other worker has. */
  async claim(): Promise<Erasure | undefined> {
    const [claimed] = await db
      .select()
      .from(erasures)
      .where(isNull(erasures.completedAt))
      .orderBy(asc(erasures.createdAt), asc(erasures.id))
      .limit(1)
      .for('update', { skipLocked: true })
    return claimed
  },

  /** Writes down how far an erasure has come. */
  async updateProgress(erasure: Erasure, progress: Partial<Erasure>): Promise<void> {
    await db.update(erasures).set(progress).where(isIt(erasure))
  },

  /** Completes those of a seller's erasures whose copies went with a look through all events that began after them. */
  async updateCompleted(sellerId: string, before: Date, now: Date): Promise<void> {
    const theirs = and(eq(erasures.sellerId, sellerId), isNull(erasures.completedAt))
    await db
      .update(erasures)
      .set({ completedAt: now })
      .where(and(theirs, isNull(erasures.email), lte(erasures.createdAt, before)))
  },
})
