import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { apiCredentials } from './integrations.tables.ts'

export type Credentials = typeof apiCredentials.$inferSelect
export type CredentialsChanges = Partial<Omit<Credentials, 'clientId' | 'id' | 'sellerId' | 'createdAt'>>

export const createIntegrationsQueries = (db: Reader) => ({
  async findBySeller(sellerId: string): Promise<Credentials | undefined> {
    const [found] = await db.select().from(apiCredentials).where(eq(apiCredentials.sellerId, sellerId))
    return found
  },

  async findByClientId(clientId: string): Promise<Credentials | undefined> {
    const [found] = await db.select().from(apiCredentials).where(eq(apiCredentials.clientId, clientId))
    return found
  },
})

export const createIntegrationsRepository = (db: Writer) => ({
  ...createIntegrationsQueries(db),

  /** Makes a seller's credentials unless they are there already. */
  async insertOnce(credentials: Credentials): Promise<void> {
    await db.insert(apiCredentials).values(credentials).onConflictDoNothing({ target: apiCredentials.sellerId })
  },

  /** Locks a seller's credentials until the transaction ends. */
  async lock(sellerId: string): Promise<Credentials | undefined> {
    const [found] = await db.select().from(apiCredentials).where(eq(apiCredentials.sellerId, sellerId)).for('update')
    return found
  },

  async update(sellerId: string, changes: CredentialsChanges): Promise<void> {
    await db.update(apiCredentials).set(changes).where(eq(apiCredentials.sellerId, sellerId))
  },

  async delete(sellerId: string): Promise<void> {
    await db.delete(apiCredentials).where(eq(apiCredentials.sellerId, sellerId))
  },
})
