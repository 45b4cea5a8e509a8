import { and, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage, readSearchedPage } from '../../db/paging.ts'
import { insertMany, writeFollowed } from '../../db/write.ts'
import { ANONYMOUS_CUSTOMER } from '../../domain/anonymous.ts'
import type { Period } from '../../domain/period.ts'
import { stripTaxId } from '../../domain/tax-id.ts'
import { customerErrors } from './customers.errors.ts'
import { customerSearchText, customers } from './customers.tables.ts'
import { selectiveParts } from './selective-parts.ts'

export type Customer = typeof customers.$inferSelect
/** What a replacement replaces: all that the seller tells. */
export type CustomerFields = Omit<Customer, 'sellerId' | 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'>

export type CustomerFilter = Period & { externalReference?: string | undefined; search?: string | undefined }

const live = isNull(customers.deletedAt)

const isTheirs = (sellerId: string, id: string): SQL | undefined =>
  and(eq(customers.sellerId, sellerId), eq(customers.id, id), live)

const namingTakenDocument = (error: unknown): never => {
  throw violates(error, 'customers_document_uq') ? customerErrors.document_taken() : error
}

/** Of so many of a seller's newest customers, what they share is seen. */
const SAMPLES_COUNT = 100

// The index is asked for what tells customers apart, and the rows that it finds for all of the text.
const containing = (text: string, samples: readonly string[]): SQL | undefined => {
  const indexed = (part: string): SQL => ilike(customerSearchText(customers), anywhere(part))
  const parts = selectiveParts(text, samples)
  if (parts.includes(text)) return indexed(text)
  return and(...parts.map(indexed), sql`${customerSearchText(customers)} || '' ilike ${anywhere(text)}`)
}

const DOCUMENT_LIKE = /^[0-9a-z.\-/\s]*\d[0-9a-z.\-/\s]*$/i

// Documents are stored without their mask, so a part of a masked one has to lose it first.
const matching = (search: string, samples: readonly string[]): SQL | undefined =>
  or(containing(search, samples), DOCUMENT_LIKE.test(search) ? containing(stripTaxId(search), samples) : undefined)

const newestTexts = async (db: Reader, sellerId: string): Promise<string[]> => {
  const newest = await db
    .select({ text: sql<string>`${customerSearchText(customers)}` })
    .from(customers)
    .where(eq(customers.sellerId, sellerId))
    .orderBy(desc(customers.id))
    .limit(SAMPLES_COUNT)
  return newest.map(({ text }) => text)
}

export const createCustomersQueries = (db: Reader) => ({
  /** A seller's own customer who is not deleted. */
  async find(sellerId: string, id: string): Promise<Customer | undefined> {
    const [customer] = await db.select().from(customers).where(isTheirs(sellerId, id))
    return customer
  },

  /** A seller's customers who are not deleted, newest first. */
  async list(
    sellerId: string,
    { externalReference, search, ...period }: CustomerFilter,
    page: PageRequest,
  ): Promise<Page<Customer>> {
    const theirs = eq(customers.sellerId, sellerId)
    const where = and(
      theirs,
      live,
      madeWithin(customers, period),
      externalReference === undefined ? undefined : eq(customers.externalReference, externalReference),
      search === undefined ? undefined : matching(search, await newestTexts(db, sellerId)),
    )
    const source = { db, table: customers, id: customers.id, where }
    if (search !== undefined) return readSearchedPage({ ...source, key: theirs }, page)
    const count =
      externalReference === undefined ? () => countTotal(db, 'customer', { sellerId, ...period }) : undefined
    return readPage({ ...source, count }, page)
  },
})

export const createCustomersRepository = (db: Writer) => ({
  ...createCustomersQueries(db),

  /** Throws customer.document_taken when another live customer of the seller has this document. */
  async insert(customer: Customer): Promise<void> {
    await insertMany(db, customers, [customer], { follow: dailyTotals }).catch(namingTakenDocument)
  },

  /** The customer after the change; undefined when there is none. Throws customer.document_taken. */
  async update(sellerId: string, id: string, fields: CustomerFields, now: Date): Promise<Customer | undefined> {
    const [customer] = await db
      .update(customers)
      .set({ ...fields, updatedAt: now })
      .where(isTheirs(sellerId, id))
      .returning()
      .catch(namingTakenDocument)
    return customer
  },

  /**
   * Locks a customer who is not deleted until the transaction ends. False: there is none. Whoever makes a payment for
   * the customer holds their row too, so that none is made with their data while they are being deleted.
   */
  async lock(sellerId: string, id: string): Promise<boolean> {
    const found = await db.select({ id: customers.id }).from(customers).where(isTheirs(sellerId, id)).for('update')
    return found.length === 1
  },

  /** Takes the person out of the record and ends it. The document becomes free. */
  async deleteSoftly(sellerId: string, id: string, now: Date): Promise<void> {
    const update = db
      .update(customers)
      .set({ ...ANONYMOUS_CUSTOMER, updatedAt: now, deletedAt: now })
      .where(isTheirs(sellerId, id))
    await writeFollowed(db, customers, update, { operation: 'update', follow: dailyTotals })
  },
})
