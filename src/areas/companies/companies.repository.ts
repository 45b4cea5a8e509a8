import { and, asc, desc, eq, ilike, inArray, isNull, or, type SQL } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import { numberedRows, readPage } from '../../db/paging.ts'
import type { CompanyStatus } from '../../domain/company.ts'
import { stripTaxId } from '../../domain/tax-id.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import type { Period } from '../../http/period.ts'
import { companyErrors } from './companies.errors.ts'
import { companies, companySearchText } from './companies.tables.ts'

export type CompanyRow = typeof companies.$inferSelect
export type CompanyChanges = Partial<Omit<CompanyRow, 'id' | 'sellerId' | 'createdAt' | 'deletedAt'>>

export type CompanyFilter = Period & {
  sellerId?: string | undefined
  statuses?: readonly CompanyStatus[] | undefined
  search?: string | undefined
}

const live = isNull(companies.deletedAt)

const namingTakenCnpj = (error: unknown): never => {
  throw violates(error, 'companies_cnpj_uq') ? companyErrors.cnpj_taken() : error
}

const containing = (text: string): SQL => ilike(companySearchText(companies), anywhere(text))

const matches = (search: string): SQL | undefined => {
  const cnpj = stripTaxId(search)
  // Punctuation alone would match every CNPJ.
  return or(containing(search), cnpj === '' ? undefined : containing(cnpj))
}

const selected = ({ sellerId, statuses, search, from, to }: CompanyFilter): SQL | undefined =>
  and(
    live,
    sellerId === undefined ? undefined : eq(companies.sellerId, sellerId),
    statuses === undefined || statuses.length === 0 ? undefined : inArray(companies.status, [...statuses]),
    search === undefined ? undefined : matches(search),
    madeWithin(companies, { from, to }),
  )

// In order of submission. A page of the second half is read from the end, like those of the other lists.
const readQueue = async (db: Executor, where: SQL | undefined, request: PageRequest): Promise<Page<CompanyRow>> => {
  const totalRecords = await db.$count(companies, where)
  const { limit, offset, reversed } = numberedRows(request, totalRecords)
  if (limit === 0) return { rows: [], totalRecords }
  const order = [companies.submittedAt, companies.id].map((column) => (reversed ? desc(column) : asc(column)))
  // The index alone passes over the pages before.
  const ids = db
    .select({ id: companies.id })
    .from(companies)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  const rows = await db
    .select()
    .from(companies)
    .where(inArray(companies.id, ids))
    .orderBy(asc(companies.submittedAt), asc(companies.id))
  return { rows, totalRecords }
}

export const createCompaniesRepository = (db: Executor) => ({
  /** Throws company.cnpj_taken when another live company has this CNPJ. */
  async insert(company: CompanyRow): Promise<void> {
    await db.insert(companies).values(company).catch(namingTakenCnpj)
  },

  /** A seller's own company that is not deleted. */
  async find(sellerId: string, id: string): Promise<CompanyRow | undefined> {
    const [company] = await db
      .select()
      .from(companies)
      .where(and(eq(companies.sellerId, sellerId), eq(companies.id, id), live))
    return company
  },

  /** Any seller's company that is not deleted: for administrators. */
  async findById(id: string): Promise<CompanyRow | undefined> {
    const [company] = await db
      .select()
      .from(companies)
      .where(and(eq(companies.id, id), live))
    return company
  },

  /** Newest first. */
  async list(filter: CompanyFilter, page: PageRequest): Promise<Page<CompanyRow>> {
    return readPage({ db, table: companies, id: companies.id, where: selected(filter) }, page)
  },

  /** Those that await approval, the one that has waited longest first. */
  listRequests(filter: CompanyFilter, request: PageRequest): Promise<Page<CompanyRow>> {
    return readQueue(db, selected({ ...filter, statuses: ['awaiting_approval'] }), request)
  },

  /** How many approved companies a seller has. */
  async countApproved(sellerId: string): Promise<number> {
    return db.$count(companies, and(eq(companies.sellerId, sellerId), eq(companies.status, 'approved'), live))
  },

  /** Locks a company that is not deleted until the transaction ends, and answers it as it is then. */
  async lock(sellerId: string, id: string): Promise<CompanyRow | undefined> {
    const [company] = await db
      .select()
      .from(companies)
      .where(and(eq(companies.sellerId, sellerId), eq(companies.id, id), live))
      .for('update')
    return company
  },

  /** Changes a company whose state is still the given one; undefined: someone moved it first. Throws company.cnpj_taken. */
  async move(
    { sellerId, id, status: from }: Pick<CompanyRow, 'sellerId' | 'id' | 'status'>,
    changes: CompanyChanges,
    now: Date,
  ): Promise<CompanyRow | undefined> {
    const [company] = await db
      .update(companies)
      .set({ ...changes, updatedAt: now })
      .where(and(eq(companies.sellerId, sellerId), eq(companies.id, id), eq(companies.status, from), live))
      .returning()
      .catch(namingTakenCnpj)
    return company
  },

  /** Takes a company out of sight and frees its CNPJ. */
  async deleteSoftly(sellerId: string, id: string, now: Date): Promise<void> {
    await db
      .update(companies)
      .set({ updatedAt: now, deletedAt: now })
      .where(and(eq(companies.sellerId, sellerId), eq(companies.id, id), live))
  },

  /** The same for all companies of a seller whose account ends. */
  async deleteAllOf(sellerId: string, now: Date): Promise<void> {
    await db
      .update(companies)
      .set({ updatedAt: now, deletedAt: now })
      .where(and(eq(companies.sellerId, sellerId), live))
  },
})
