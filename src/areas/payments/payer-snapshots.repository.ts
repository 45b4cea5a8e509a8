import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { ANONYMOUS_PAYER } from '../../domain/anonymous.ts'
import { payerDocument, payments } from './payments.tables.ts'

/** Which payments of a seller: a customer's, those of payers with a document, or some. */
export type PaymentsOf = { customerId: string } | { document: string } | { ids: readonly string[] }

const paidBy = (which: PaymentsOf): SQL | undefined => {
  if ('customerId' in which) return eq(payments.customerId, which.customerId)
  if ('document' in which) return eq(payerDocument(payments), which.document)
  return inArray(payments.id, [...which.ids])
}

/** What payments keep of whoever paid them. */
export const createPayerSnapshotsRepository = (db: Writer) => ({
  /** Takes the person out of payments. Answers of how many; amounts and ids stay as they are. */
  async updateAnonymous(sellerId: string, which: PaymentsOf): Promise<number> {
    if ('ids' in which && which.ids.length === 0) return 0
    const theirs = and(eq(payments.sellerId, sellerId), paidBy(which))
    // Locked in the order of their keys, like everywhere, so that two of these never wait for each other.
    const locked = await db
      .select({ id: payments.id })
      .from(payments)
      .where(theirs)
      .orderBy(asc(payments.sellerId), asc(payments.id))
      .for('update')
    if (locked.length === 0) return 0
    const { rowCount } = await db
      .update(payments)
      .set({ customer: ANONYMOUS_PAYER })
      .where(
        and(
          eq(payments.sellerId, sellerId),
          inArray(
            payments.id,
            locked.map(({ id }) => id),
          ),
          isNotNull(payments.customer),
          sql`${payments.customer} <> ${JSON.stringify(ANONYMOUS_PAYER)}::jsonb`,
        ),
      )
    return rowCount ?? 0
  },
})
