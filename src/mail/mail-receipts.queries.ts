import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { companies } from '../areas/companies/companies.tables.ts'
import { payments } from '../areas/payments/payments.tables.ts'
import { users } from '../areas/users/users.tables.ts'
import type { Reader } from '../db/client.ts'

/** What receipts tell. Reads only: nothing of a payer is kept with their mail. */
export const createMailReceiptsQueries = (db: Reader) => ({
  /** A payment as it is known now, with the name that its seller trades under. Undefined: the seller is gone. */
  async find(sellerId: string, paymentId: string) {
    const tradeName = db
      .select({ tradeName: companies.tradeName })
      .from(companies)
      .where(
        and(eq(companies.sellerId, payments.sellerId), eq(companies.status, 'approved'), isNull(companies.deletedAt)),
      )
      .orderBy(asc(companies.id))
      .limit(1)
    const { id, customer, method, paidAmount, paidAt, description, pixEndToEndId } = payments
    const [found] = await db
      .select({
        payment: { id, customer, method, paidAmount, paidAt, description, pixEndToEndId },
        sellerName: sql<string>`coalesce((${tradeName}), ${users.companyName})`,
      })
      .from(payments)
      .innerJoin(users, eq(users.id, payments.sellerId))
      .where(and(eq(payments.sellerId, sellerId), eq(payments.id, paymentId), isNull(users.deletedAt)))
    return found
  },
})
