import { and, asc, eq, ilike, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { type CompanyStatus, companyLifecycle } from '../../domain/company.ts'
import type { Period } from '../../domain/period.ts'
import { stripTaxId } from '../../domain/tax-id.ts'
import { users } from '../users/users.tables.ts'
import { companyErrors } from './companies.errors.ts'
import { companies, companySearchText } from './companies.tables.ts'

export type CompanyRow = typeof companies.$inferSelect
export type CompanyChanges = Partial<Omit<CompanyRow, 'id' | 'sellerId' | 'status' | 'createdAt' | 'deletedAt'>>

/** Who is paid, as a receipt and a boleto name them. Without an approved company, only the name of the account is known. */
export type Payee = {
  name: string
  company: Pick<
    CompanyRow,
    | 'companyName'
    | 'cnpj'
    | 'contactEmail'
    | 'contactPhone'
    | 'addressStreet'
    | 'addressNumber'
    | 'addressComplement'
    | 'addressNeighborhood'
    | 'addressCity'
    | 'addressState'
    | 'addressZipCode'
  > | null
}

const PAYEE = {
  companyName: companies.companyName,
  cnpj: companies.cnpj,
  contactEmail: companies.contactEmail,
  contactPhone: companies.contactPhone,
  addressStreet: companies.addressStreet,
  addressNumber: companies.addressNumber,
  addressComplement: companies.addressComplement,
  addressNeighborhood: companies.addressNeighborhood,
  addressCity: companies.addressCity,
  addressState: companies.addressState,
  addressZipCode: companies.addressZipCode,
}

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

export const createCompaniesQueries = (db: Reader) => ({
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

  /** The first companies of some sellers that are not deleted, at most `limit` of each, oldest first. */
  async listOf(sellerIds: readonly string[], limit: number): Promise<CompanyRow[]> {
    if (sellerIds.length === 0) return []
    const first = sql`(
      select first.id from unnest(${uuids(sellerIds)}) as seller (id) cross join lateral (
        select id from companies where seller_id = seller.id and deleted_at is null order by id limit ${limit}
      ) as first)`
    return db.select().from(companies).where(inArray(companies.id, first)).orderBy(asc(companies.id))
  },

  /** Newest first. */
  async list(filter: CompanyFilter, page: PageRequest): Promise<Page<CompanyRow>> {
    return readPage({ db, table: companies, id: companies.id, where: selected(filter) }, page)
  },

  /** Those that await approval, which can also be sorted by how long they have. */
  async listRequests(filter: CompanyFilter, page: PageRequest): Promise<Page<CompanyRow>> {
    const where = selected({ ...filter, statuses: ['awaiting_approval'] })
    const sorts = { submittedAt: companies.submittedAt }
    return readPage({ db, table: companies, id: companies.id, sorts, where }, page)
  },

  /** Whom the payers of a seller pay: the company that was approved first. Undefined: there is no such seller. */
  async findPayee(sellerId: string): Promise<Payee | undefined> {
    const isTheirs = and(eq(companies.sellerId, users.id), eq(companies.status, 'approved'), live)
    const [found] = await db
      .select({ account: users.companyName, tradeName: companies.tradeName, company: PAYEE })
      .from(users)
      .leftJoin(companies, isTheirs)
      .where(eq(users.id, sellerId))
      .orderBy(asc(companies.id))
      .limit(1)
    return found && { name: found.tradeName ?? found.account, company: found.company }
  },

  /** How many companies a seller has, whatever their state. */
  async countLive(sellerId: string): Promise<number> {
    return db.$count(companies, and(eq(companies.sellerId, sellerId), live))
  },

  /** How many approved companies a seller has. */
  async countApproved(sellerId: string): Promise<number> {
    return db.$count(companies, and(eq(companies.sellerId, sellerId), eq(companies.status, 'approved'), live))
  },
})

export const createCompaniesRepository = (db: Writer) => ({
  ...createCompaniesQueries(db),

  /** Throws company.cnpj_taken when another live company has this CNPJ. */
  async insert(company: CompanyRow): Promise<void> {
    await db.insert(companies).values(company).catch(namingTakenCnpj)
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

  /**
   * Changes a company, whose state may stay as it is. Undefined: it is no longer in the state that it was read in. Throws
   * company.cnpj_taken.
   */
  async move(
    { sellerId, id, status: from }: Pick<CompanyRow, 'sellerId' | 'id' | 'status'>,
    to: CompanyStatus,
    changes: CompanyChanges,
    now: Date,
  ): Promise<CompanyRow | undefined> {
    const where = and(eq(companies.sellerId, sellerId), eq(companies.id, id), live)
    const move = { from, to, changes: { ...changes, updatedAt: now }, where }
    const [company] = await moveWhere(db, companies, companyLifecycle, move).catch(namingTakenCnpj)
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
