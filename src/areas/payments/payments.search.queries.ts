import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
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

const COLUMNS = sql`${payments.id}, ${payments.amount}, ${payments.paidAt} as "paidAt"`

const newest = (condition: SQL | undefined, limit: number, more = sql``): SQL => sql`
  select ${COLUMNS} ${more} from ${payments} where ${condition ?? sql`true`} order by ${desc(payments.id)} limit ${limit}`

type Search = {
  text: string
  filter: PaymentFilter
  /** The id down to which payments were looked through before; undefined at the beginning. */
  searchedTo: string | undefined
}

/**
 * The payments of a list that are searched for. A text that many have, or none, costs as much as any other: the newest
 * PAYMENTS_SEARCHED_MAX payments that the other filters leave are looked through, and those behind them by a search that goes
 * on. What names a payment is found at the beginning, and not again.
 */
export const searchedPayments = ({ text, filter, searchedTo }: Search) => {
  const chosen = paymentsWhere(filter)
  const names = named(text, filter.sellerId)
  const rest =
    searchedTo === undefined ? undefined : and(lt(payments.id, searchedTo), sql`(${or(...names)}) is not true`)
  const texts = sql`, ${payments.description}, ${payments.externalReference}, ${payments.customer}`
  const unions = searchedTo === undefined ? names : []
  return {
    searched: {
      // One more than is looked through tells whether any is left.
      rows: newest(and(chosen, rest), PAYMENTS_SEARCHED_MAX + 1, texts),
      // The last one that is looked through, and the one behind it.
      edge: sql`select array(select id from searched order by id desc offset ${PAYMENTS_SEARCHED_MAX - 1}) as ids`,
    },
    found: sql`
      select id, amount, "paidAt" from searched
      where id is distinct from (select ids[2] from edge)
        and concat_ws(chr(10), description, external_reference, customer ->> 'name', customer ->> 'email') ilike ${anywhere(text)}
      ${sql.join(
        unions.map(
          (is) =>
            sql`union select id, amount, "paidAt" from (${newest(and(is, chosen), PAYMENTS_SEARCHED_MAX)}) as named`,
        ),
        sql` `,
      )}`,
  }
}
