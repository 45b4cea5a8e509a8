import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { ANONYMOUS_NAME } from '../../domain/anonymous.ts'
import { type PayerSnapshot, payments } from './payments.tables.ts'

const ANONYMOUS: PayerSnapshot = { name: ANONYMOUS_NAME, document: null, email: null, phone: null }

/** What payments keep of the customers who paid them. */
export const createPayerSnapshotsRepository = (db: Writer) => {
  const ofCustomer = (sellerId: string, customerId: string) =>
    and(eq(payments.sellerId, sellerId), eq(payments.customerId, customerId))

  return {
    /** Takes the person out of all their payments. Answers how many; amounts and ids stay as they are. */
    async updateAnonymous(sellerId: string, customerId: string): Promise<number> {
      // Locked in the order of their keys, like everywhere, so that two of these never wait for each other.
      await db
        .select({ id: payments.id })
        .from(payments)
        .where(ofCustomer(sellerId, customerId))
        .orderBy(asc(payments.sellerId), asc(payments.id))
        .for('update')
      const { rowCount } = await db
        .update(payments)
        .set({ customer: ANONYMOUS })
        .where(and(ofCustomer(sellerId, customerId), isNotNull(payments.customer)))
      return rowCount ?? 0
    },
  }
}
