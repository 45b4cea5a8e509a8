import { and, asc, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import { type DocumentStatus, documentLifecycle } from '../../domain/company-document.ts'
import type { CompanyRow } from './companies.repository.ts'
import { companies, companyDocuments } from './companies.tables.ts'

export type DocumentRow = typeof companyDocuments.$inferSelect

type CompanyKey = Pick<CompanyRow, 'sellerId' | 'id'>

const belongs = ({ sellerId, id }: CompanyKey) =>
  and(eq(companyDocuments.sellerId, sellerId), eq(companyDocuments.companyId, id))

export const createCompanyDocumentsQueries = (db: Reader) => ({
  async find(company: CompanyKey, id: string): Promise<DocumentRow | undefined> {
    const [document] = await db
      .select()
      .from(companyDocuments)
      .where(and(belongs(company), eq(companyDocuments.id, id)))
    return document
  },

  /** All documents of some companies, superseded ones included, oldest first. */
  async listByCompanies(companies: readonly CompanyKey[]): Promise<DocumentRow[]> {
    if (companies.length === 0) return []
    return db
      .select()
      .from(companyDocuments)
      .where(
        and(
          inArray(companyDocuments.sellerId, [...new Set(companies.map(({ sellerId }) => sellerId))]),
          inArray(
            companyDocuments.companyId,
            companies.map(({ id }) => id),
          ),
        ),
      )
      .orderBy(asc(companyDocuments.id))
  },

  /** How many documents of how many bytes are kept for a seller, those of deleted companies included. */
  async sumBySeller(sellerId: string): Promise<{ documents: number; bytes: number }> {
    const [sum] = await db
      .select({ documents: count(), bytes: sql`coalesce(sum(${companyDocuments.sizeBytes}), 0)`.mapWith(Number) })
      .from(companyDocuments)
      .where(eq(companyDocuments.sellerId, sellerId))
    return sum ?? { documents: 0, bytes: 0 }
  },

  /** Documents of deleted companies that were never approved. */
  async listForgotten(limit: number): Promise<DocumentRow[]> {
    const isOfCompany = and(
      eq(companies.sellerId, companyDocuments.sellerId),
      eq(companies.id, companyDocuments.companyId),
    )
    const found = await db
      .select({ document: companyDocuments })
      .from(companyDocuments)
      .innerJoin(companies, isOfCompany)
      .where(and(isNotNull(companies.deletedAt), isNull(companies.approvedAt)))
      .limit(limit)
    return found.map(({ document }) => document)
  },

  async countByCompany(company: CompanyKey): Promise<number> {
    return db.$count(companyDocuments, belongs(company))
  },
})

export const createCompanyDocumentsRepository = (db: Writer) => ({
  ...createCompanyDocumentsQueries(db),

  async insert(documents: readonly DocumentRow[]): Promise<void> {
    await db.insert(companyDocuments).values([...documents])
  },

  async delete(documents: readonly Pick<DocumentRow, 'sellerId' | 'id'>[]): Promise<void> {
    for (const { sellerId, id } of documents) {
      await db.delete(companyDocuments).where(and(eq(companyDocuments.sellerId, sellerId), eq(companyDocuments.id, id)))
    }
  },

  /** The document after the change; undefined: its state is no longer `from`. */
  async move(
    { sellerId, id, status: from }: Pick<DocumentRow, 'sellerId' | 'id' | 'status'>,
    to: DocumentStatus,
    rejectionReason: string | null,
    now: Date,
  ): Promise<DocumentRow | undefined> {
    const where = and(eq(companyDocuments.sellerId, sellerId), eq(companyDocuments.id, id))
    const changes = { rejectionReason, updatedAt: now }
    const [document] = await moveWhere(db, companyDocuments, documentLifecycle, { from, to, changes, where })
    return document
  },
})
