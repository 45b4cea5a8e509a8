import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { HexColor } from '../../domain/brand-color.ts'
import { sellerBrandings, sellerLogos } from './branding.tables.ts'

export type Logo = typeof sellerLogos.$inferSelect
/** Null where a seller has none. */
export type Branding = { color: HexColor | null; updatedAt: Date | null; logo: Logo | null }

export const createBrandingQueries = (db: Reader) => ({
  /** What a seller's payers see. Never undefined: a seller who has chosen nothing has none of it. */
  async find(sellerId: string): Promise<Branding> {
    const [[branding], [logo]] = await Promise.all([
      db.select().from(sellerBrandings).where(eq(sellerBrandings.sellerId, sellerId)),
      db
        .select()
        .from(sellerLogos)
        .where(and(eq(sellerLogos.sellerId, sellerId), isNull(sellerLogos.removedAt))),
    ])
    return { color: branding?.color ?? null, updatedAt: branding?.updatedAt ?? null, logo: logo ?? null }
  },

  /** A logo that somebody has, by its id alone. */
  async findLogo(id: string): Promise<Logo | undefined> {
    const [logo] = await db
      .select()
      .from(sellerLogos)
      .where(and(eq(sellerLogos.id, id), isNull(sellerLogos.removedAt)))
    return logo
  },

  /** How many logos are kept for a seller, those included whose files are about to be removed. */
  async countLogos(sellerId: string): Promise<number> {
    return db.$count(sellerLogos, eq(sellerLogos.sellerId, sellerId))
  },

  /** Logos whose files are to be removed. */
  async listRemovedLogos(limit: number): Promise<Logo[]> {
    return db.select().from(sellerLogos).where(isNotNull(sellerLogos.removedAt)).limit(limit)
  },
})

export const createBrandingRepository = (db: Writer) => ({
  ...createBrandingQueries(db),

  /** Notes that something changed now; of the colour only where one is given, which may be none. */
  async put(sellerId: string, changes: { color?: HexColor | null }, now: Date): Promise<void> {
    const row = { ...changes, updatedAt: now }
    await db
      .insert(sellerBrandings)
      .values({ sellerId, createdAt: now, ...row })
      .onConflictDoUpdate({ target: sellerBrandings.sellerId, set: row })
  },

  /** Of a seller who has none. */
  async insertLogo(logo: Logo): Promise<void> {
    await db.insert(sellerLogos).values(logo)
  },

  /** Whether there was one. */
  async removeLogo(sellerId: string, now: Date): Promise<boolean> {
    const removed = await db
      .update(sellerLogos)
      .set({ removedAt: now })
      .where(and(eq(sellerLogos.sellerId, sellerId), isNull(sellerLogos.removedAt)))
      .returning({ id: sellerLogos.id })
    return removed.length > 0
  },

  /** Ends everything of an account that ends. */
  async deleteAllOf(sellerId: string, now: Date): Promise<void> {
    await this.removeLogo(sellerId, now)
    await db.delete(sellerBrandings).where(eq(sellerBrandings.sellerId, sellerId))
  },

  /** Forgets removed logos whose files are gone. */
  async deleteLogos(ids: readonly string[]): Promise<void> {
    await db.delete(sellerLogos).where(and(inArray(sellerLogos.id, [...ids]), isNotNull(sellerLogos.removedAt)))
  },
})
