import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { providerCursors } from './provider-cursors.tables.ts'

export type ProviderCursor = typeof providerCursors.$inferSelect

export const createProviderCursorsQueries = (db: Reader) => ({
  async find(provider: string): Promise<ProviderCursor | undefined> {
    const [cursor] = await db.select().from(providerCursors).where(eq(providerCursors.provider, provider))
    return cursor
  },
})

export const createProviderCursorsRepository = (db: Writer) => ({
  ...createProviderCursorsQueries(db),

  /** Begins to read a provider's list at an instant. One that was begun stays as it is. */
  async insertOnce(provider: string, since: Date): Promise<void> {
    await db.insert(providerCursors).values({ provider, since, readUntil: since }).onConflictDoNothing()
  },

  async updateReadUntil(provider: string, readUntil: Date): Promise<void> {
    await db.update(providerCursors).set({ readUntil }).where(eq(providerCursors.provider, provider))
  },
})
