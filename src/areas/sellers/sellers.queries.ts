import { and, eq, ilike, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/pg-core'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage, readSearchedPage } from '../../db/paging.ts'
import type { Period } from '../../domain/period.ts'
import { stripTaxId } from '../../domain/tax-id.ts'
import { companies, companySearchText } from '../companies/companies.tables.ts'
import { userSearchText, users } from '../users/users.tables.ts'

export type Seller = typeof users.$inferSelect

export type SellerFilter = Period & {
  isApproved?: boolean | undefined
  isBlocked?: boolean | undefined
  search?: string | undefined
}

// Who opened a seller's account and has not ended it.
const isSeller = and(eq(users.role, 'seller'), isNull(users.sellerId), isNull(users.deletedAt))

const inCompany = (text: string): SQL => ilike(companySearchText(companies), anywhere(text))

const matchingCompany = (search: string): SQL | undefined => {
  const cnpj = stripTaxId(search)
  // Punctuation alone would match every CNPJ.
  return or(inCompany(search), cnpj === '' ? undefined : inCompany(cnpj))
}

// Two lists of ids, each from its own index: a condition over both tables would have to look at every row.
const matching = (db: Reader, search: string): SQL => {
  const people = alias(users, 'people')
  const byPerson = db
    .select({ id: people.id })
    .from(people)
    .where(ilike(userSearchText(people), anywhere(search)))
  const byCompany = db
    .select({ id: companies.sellerId })
    .from(companies)
    .where(and(isNull(companies.deletedAt), matchingCompany(search)))
  return inArray(users.id, unionAll(byPerson, byCompany))
}

const selected = (db: Reader, { isApproved, isBlocked, search, ...period }: SellerFilter): SQL | undefined =>
  and(
    isSeller,
    isApproved === undefined ? undefined : eq(users.approved, isApproved),
    isBlocked === undefined ? undefined : isBlocked ? isNotNull(users.blockedAt) : isNull(users.blockedAt),
    search === undefined ? undefined : matching(db, search),
    madeWithin(users, period),
  )

export const createSellersQueries = (db: Reader) => ({
  /** A seller who is not deleted. */
  async find(id: string): Promise<Seller | undefined> {
    const [seller] = await db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isSeller))
    return seller
  },

  /** Newest first. */
  async list(filter: SellerFilter, page: PageRequest): Promise<Page<Seller>> {
    const source = { db, table: users, id: users.id, where: selected(db, filter) }
    return filter.search === undefined ? readPage(source, page) : readSearchedPage({ ...source, key: undefined }, page)
  },
})
