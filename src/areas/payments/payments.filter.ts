import { and, eq, gte, ilike, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { madeWithin } from '../../db/id-period.ts'
import type { Centavos } from '../../domain/money.ts'
import type { PaymentMethod, PaymentStatus } from '../../domain/payment.ts'
import { payments } from './payments.tables.ts'

/** Which payments of a list. Without a seller, of all sellers: for administrators only. */
export type PaymentFilter = {
  sellerId?: string | undefined
  status?: readonly PaymentStatus[] | undefined
  method?: readonly PaymentMethod[] | undefined
  customerId?: string | undefined
  paymentLinkId?: string | undefined
  externalReference?: string | undefined
  minAmount?: Centavos | undefined
  maxAmount?: Centavos | undefined
  search?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const matching = (search: string | undefined): SQL | undefined =>
  search === undefined
    ? undefined
    : or(
        ilike(payments.description, contains(search)),
        ilike(payments.externalReference, contains(search)),
        ilike(sql`${payments.customer} ->> 'name'`, contains(search)),
        ilike(sql`${payments.customer} ->> 'email'`, contains(search)),
        eq(sql`${payments.customer} ->> 'document'`, search.replace(/[.\-/\s]/g, '').toUpperCase()),
        eq(sql`${payments.id}::text`, search.toLowerCase()),
        eq(payments.pixEndToEndId, search),
      )

/** The condition behind the filters of a list. */
export const paymentsWhere = (filter: PaymentFilter): SQL | undefined => {
  const equal = (['sellerId', 'customerId', 'paymentLinkId', 'externalReference'] as const).map((name) =>
    filter[name] === undefined ? undefined : eq(payments[name], filter[name]),
  )
  return and(
    ...equal,
    filter.status && inArray(payments.status, [...filter.status]),
    filter.method && inArray(payments.method, [...filter.method]),
    filter.minAmount === undefined ? undefined : gte(payments.amount, filter.minAmount),
    filter.maxAmount === undefined ? undefined : lte(payments.amount, filter.maxAmount),
    matching(filter.search),
    madeWithin(payments, filter),
  )
}
