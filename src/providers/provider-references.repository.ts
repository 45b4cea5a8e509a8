import { and, eq } from 'drizzle-orm'
import { isAnyOf } from '../db/arrays.ts'
import type { Reader, Writer } from '../db/client.ts'
import { insertMany } from '../db/write.ts'
import type { ReferenceKind } from './provider.port.ts'
import { providerReferences } from './provider-events.tables.ts'

export type ProviderReference = typeof providerReferences.$inferSelect
export type ProviderReferenceKey = Pick<ProviderReference, 'provider' | 'kind' | 'reference'>

export const createProviderReferencesQueries = (db: Reader) => ({
  async find({ provider, kind, reference }: ProviderReferenceKey): Promise<ProviderReference | undefined> {
    const [found] = await this.findMany(provider, kind, [reference])
    return found
  },

  async findMany(provider: string, kind: ReferenceKind, references: readonly string[]): Promise<ProviderReference[]> {
    if (references.length === 0) return []
    return db
      .select()
      .from(providerReferences)
      .where(
        and(
          eq(providerReferences.provider, provider),
          eq(providerReferences.kind, kind),
          isAnyOf(providerReferences.reference, references),
        ),
      )
  },

  /** The provider's name of one of our things. */
  async findByResource(
    provider: string,
    kind: ReferenceKind,
    { sellerId, resourceId }: Pick<ProviderReference, 'sellerId' | 'resourceId'>,
  ): Promise<string | null> {
    const [found] = await db
      .select({ reference: providerReferences.reference })
      .from(providerReferences)
      .where(
        and(
          eq(providerReferences.provider, provider),
          eq(providerReferences.kind, kind),
          eq(providerReferences.sellerId, sellerId),
          eq(providerReferences.resourceId, resourceId),
        ),
      )
    return found?.reference ?? null
  },
})

export const createProviderReferencesRepository = (db: Writer) => ({
  ...createProviderReferencesQueries(db),

  /** Files how the provider names our things. One that is filed already stays as it is. */
  async insertMany(references: readonly ProviderReference[]): Promise<void> {
    await insertMany(db, providerReferences, references, { onConflict: 'skip' })
  },
})
