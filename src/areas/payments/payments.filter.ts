import { and, eq, gte, inArray, lte, type SQL } from 'drizzle-orm'
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
  from?: Date | undefined
  to?: Date | undefined
}

/** The condition behind the filters of a list, but for its search. */
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
    madeWithin(payments, filter),
  )
}
