import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import type { DocumentStatus } from '../../domain/company-document.ts'
import type { CompanyRow } from './companies.repository.ts'
import { companyDocuments } from './companies.tables.ts'

export type DocumentRow = typeof companyDocuments.$inferSelect

type CompanyKey = Pick<CompanyRow, 'sellerId' | 'id'>

const belongs = ({ sellerId, id }: CompanyKey) =>
  and(eq(companyDocuments.sellerId, sellerId), eq(companyDocuments.companyId, id))

export const createCompanyDocumentsRepository = (db: Executor) => ({
  async insert(documents: readonly DocumentRow[]): Promise<void> {
    await db.insert(companyDocuments).values([...documents])
  },

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

  async countByCompany(company: CompanyKey): Promise<number> {
    return db.$count(companyDocuments, belongs(company))
  },

  /** The document after the change; undefined: its state is no longer `from`. */
  async move(
    { sellerId, id, status: from }: Pick<DocumentRow, 'sellerId' | 'id' | 'status'>,
    to: DocumentStatus,
    rejectionReason: string | null,
    now: Date,
  ): Promise<DocumentRow | undefined> {
    const [document] = await db
      .update(companyDocuments)
      .set({ status: to, rejectionReason, updatedAt: now })
      .where(
        and(eq(companyDocuments.sellerId, sellerId), eq(companyDocuments.id, id), eq(companyDocuments.status, from)),
      )
      .returning()
    return document
  },
})
