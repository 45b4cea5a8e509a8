import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../../db/client.ts'
import { sellerWebhooks } from '../../webhooks/webhooks.tables.ts'
import { sessions } from '../authentication/authentication.tables.ts'
import { companies, companyDocuments } from '../companies/companies.tables.ts'
import { customers } from '../customers/customers.tables.ts'
import { apiCredentials } from '../integrations/integrations.tables.ts'
import { paymentLinks } from '../payment-links/payment-links.tables.ts'
import { payments } from '../payments/payments.tables.ts'
import type { ActiveCard } from '../saved-cards/saved-cards.repository.ts'
import { savedCards } from '../saved-cards/saved-cards.tables.ts'
import { withdrawals } from '../withdrawals/withdrawals.tables.ts'
import { createErasedQueries } from './erased.queries.ts'
import { EXPORT_RECORDS_MAX } from './personal-data.schemas.ts'
import { createToldQueries } from './told.queries.ts'

/** The newest records of a kind, and how many there are. */
export type Records<Row> = { totalRecords: number; rows: Row[] }

const records = async <Row>(db: Reader, table: PgTable, where: SQL | undefined, rows: PromiseLike<Row[]>) => ({
  totalRecords: await db.$count(table, where),
  rows: await rows,
})

const personQueries = (db: Reader, limit: number) => ({
  /** Deleted ones too: they are kept. */
  async listCompanies(sellerId: string): Promise<Records<typeof companies.$inferSelect>> {
    const where = eq(companies.sellerId, sellerId)
    const rows = db.select().from(companies).where(where).orderBy(desc(companies.id)).limit(limit)
    return records(db, companies, where, rows)
  },

  async listDocuments(sellerId: string, companyIds: readonly string[]) {
    if (companyIds.length === 0) return []
    return db
      .select()
      .from(companyDocuments)
      .where(and(eq(companyDocuments.sellerId, sellerId), inArray(companyDocuments.companyId, [...companyIds])))
      .orderBy(asc(companyDocuments.id))
  },

  async listSessions(userId: string) {
    const where = eq(sessions.userId, userId)
    return records(db, sessions, where, db.select().from(sessions).where(where).orderBy(desc(sessions.id)).limit(limit))
  },

  async findCredentials(sellerId: string) {
    const [credentials] = await db.select().from(apiCredentials).where(eq(apiCredentials.sellerId, sellerId))
    return credentials
  },

  /** Without their secrets. */
  async listWebhooks(sellerId: string) {
    const { id, url, description, status, createdAt, deletedAt } = sellerWebhooks
    const where = eq(sellerWebhooks.sellerId, sellerId)
    const rows = db
      .select({ id, url, description, status, createdAt, deletedAt })
      .from(sellerWebhooks)
      .where(where)
      .orderBy(desc(id))
      .limit(limit)
    return records(db, sellerWebhooks, where, rows)
  },

  async listWithdrawals(sellerId: string) {
    const where = eq(withdrawals.sellerId, sellerId)
    const rows = db.select().from(withdrawals).where(where).orderBy(desc(withdrawals.id)).limit(limit)
    return records(db, withdrawals, where, rows)
  },

  async countPayments(sellerId: string) {
    return db
      .select({ status: payments.status, count: sql`count(*)`.mapWith(Number) })
      .from(payments)
      .where(eq(payments.sellerId, sellerId))
      .groupBy(payments.status)
      .orderBy(payments.status)
  },

  async countPaymentLinks(sellerId: string): Promise<number> {
    return db.$count(paymentLinks, eq(paymentLinks.sellerId, sellerId))
  },

  async countCustomers(sellerId: string): Promise<number> {
    return db.$count(customers, eq(customers.sellerId, sellerId))
  },
})

const savedCardsQueries = (db: Reader) => ({
  /** Customers' cards that can be charged: of a deleted one nothing is left. */
  async listCards(sellerId: string, customerIds: readonly string[]): Promise<ActiveCard[]> {
    const theirs = and(eq(savedCards.sellerId, sellerId), inArray(savedCards.customerId, [...customerIds]))
    const rows = db
      .select()
      .from(savedCards)
      .where(and(theirs, sql`${savedCards.status} = 'active'`))
    return (await rows.orderBy(desc(savedCards.id)).limit(EXPORT_RECORDS_MAX)) as ActiveCard[]
  },
})

const listTelling = (db: Reader, where: SQL | undefined) => {
  const { id, method, status, amount, customer, description, externalReference, metadata, createdAt } = payments
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear, pixEndToEndId } = payments
  const told = { id, method, status, amount, customer, description, externalReference, metadata, createdAt }
  const rows = db
    .select({ ...told, cardBrand, cardLast4, cardExpMonth, cardExpYear, pixEndToEndId })
    .from(payments)
    .where(where)
    .orderBy(desc(id))
    .limit(EXPORT_RECORDS_MAX)
  return records(db, payments, where, rows)
}

/** What is kept about one person, wherever it is kept. Reads only. */
export const createPersonalDataQueries = (db: Reader) => ({
  ...personQueries(db, EXPORT_RECORDS_MAX),
  ...savedCardsQueries(db),
  ...createToldQueries(db),
  ...createErasedQueries(db),

  /** A customer of a seller, also a deleted one. */
  async findCustomer(sellerId: string, id: string) {
    const [customer] = await db
      .select()
      .from(customers)
      .where(and(eq(customers.sellerId, sellerId), eq(customers.id, id)))
    return customer
  },

  /** A customer's payments with what they tell of the payer. */
  listCustomerPayments: (sellerId: string, customerId: string) =>
    listTelling(db, and(eq(payments.sellerId, sellerId), eq(payments.customerId, customerId))),

  /** Some payments with what they tell of the payer. */
  listPaymentsTelling: (sellerId: string, ids: readonly string[]) =>
    listTelling(db, and(eq(payments.sellerId, sellerId), inArray(payments.id, [...ids]))),
})

export type PersonalDataQueries = ReturnType<typeof createPersonalDataQueries>
