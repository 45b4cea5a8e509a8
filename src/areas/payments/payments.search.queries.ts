import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { anywhere } from '../../db/like.ts'
import { idsOfPaymentCode } from '../../domain/payment-code.ts'
import { isUuid } from '../../domain/uuid.ts'
import { type PaymentFilter, paymentsWhere } from './payments.filter.ts'
import { PAYMENTS_SEARCHED_MAX } from './payments.search.ts'
import { payerDocument, payments } from './payments.tables.ts'

// Of the code on a receipt: the ids of a quarter of a second, of which one ends like it.
const coded = (search: string): SQL[] => {
  const ids = idsOfPaymentCode(search)
  if (ids === undefined) return []
  return [sql`${payments.id} between ${ids.from} and ${ids.to} and right(${payments.id}::text, 5) = ${ids.ending}`]
}

// What names one payment or payer is looked up, however long ago that was.
const named = (search: string, sellerId: string | undefined): SQL[] => {
  const id = search.toLowerCase()
  const document = search.replace(/[.\-/\s]/g, '').toUpperCase()
  return [
    ...(isUuid(id) ? [eq(payments.id, id)] : []),
    ...(sellerId === undefined ? [] : [eq(payments.externalReference, search)]),
    ...(document === '' ? [] : [eq(payerDocument(payments), document)]),
    eq(payments.pixEndToEndId, search),
    ...coded(search),
  ]
}

/**
 * The ids and amounts of the payments of a list that are searched for. A text that many have, or none, costs as much as any other: the
 * newest PAYMENTS_SEARCHED_MAX payments that the other filters leave are read, and not one more.
 */
export const foundPayments = (search: string, filter: PaymentFilter): SQL => {
  const chosen = paymentsWhere(filter)
  const newest = (condition: SQL | undefined): SQL => sql`
    select ${payments.id}, ${payments.amount}, ${payments.description}, ${payments.externalReference}, ${payments.customer} from ${payments}
    where ${condition ?? sql`true`} order by ${desc(payments.id)} limit ${PAYMENTS_SEARCHED_MAX}`
  return sql`
    select id, amount from (${newest(chosen)}) as newest
    where concat_ws(chr(10), description, external_reference, customer ->> 'name', customer ->> 'email') ilike ${anywhere(search)}
    ${sql.join(
      named(search, filter.sellerId).map(
        (is) => sql`union select id, amount from (${newest(and(is, chosen))}) as named`,
      ),
      sql` `,
    )}`
}
