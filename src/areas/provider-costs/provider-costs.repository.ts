import { asc } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { ProviderCost } from '../../domain/provider-cost.ts'
import { providerCosts } from './provider-costs.tables.ts'

export type ProviderCostRow = typeof providerCosts.$inferSelect

export const createProviderCostsQueries = (db: Reader) => ({
  async list(): Promise<ProviderCostRow[]> {
    const { provider, method, installmentsFrom } = providerCosts
    return db.select().from(providerCosts).orderBy(asc(provider), asc(method), asc(installmentsFrom))
  },
})

export const createProviderCostsRepository = (db: Writer) => ({
  ...createProviderCostsQueries(db),

  /** Puts a whole table in the place of the one that is there. */
  async replace(costs: readonly ProviderCost[], now: Date): Promise<void> {
    await db.delete(providerCosts)
    if (costs.length > 0) await db.insert(providerCosts).values(costs.map((cost) => ({ ...cost, updatedAt: now })))
  },
})
