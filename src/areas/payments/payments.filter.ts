import { and, eq, gte, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { firstIdOf, ID_SLACK_MS, madeWithin } from '../../db/id-period.ts'
import type { Centavos } from '../../domain/money.ts'
import type { PaymentMethod, PaymentStatus } from '../../domain/payment.ts'
import { paymentSettlements, payments } from './payments.tables.ts'

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
  paidFrom?: Date | undefined
  paidTo?: Date | undefined
  settledFrom?: Date | undefined
  settledTo?: Date | undefined
  /** Only those that were ever paid: what is listed in that order. */
  isPaid?: true | undefined
}

/** The same, and what they are searched for. */
export type PaymentSelection = PaymentFilter & { search?: string | undefined }

// Nothing is paid before it is made, so that what was paid before an instant is also a range of the key.
const madeBefore = (instant: Date | undefined): SQL | undefined =>
  instant && lt(payments.id, firstIdOf(instant.getTime() + ID_SLACK_MS))

const paidWithin = ({ paidFrom: from, paidTo: to }: PaymentFilter): SQL | undefined =>
  and(from && gte(payments.paidAt, from), to && and(lt(payments.paidAt, to), madeBefore(to)))

/** Payments of which a part has become available in the period. */
const settledWithin = ({ sellerId, settledFrom: from, settledTo: to }: PaymentFilter): SQL | undefined => {
  if (from === undefined && to === undefined) return undefined
  const { settledAt, status } = paymentSettlements
  const within = and(
    sellerId === undefined ? undefined : eq(paymentSettlements.sellerId, sellerId),
    eq(status, sql`'available'`),
    from ? gte(settledAt, from) : sql`${settledAt} is not null`,
    to && lt(settledAt, to),
  )
  const parts = sql`(select ${paymentSettlements.sellerId}, ${paymentSettlements.paymentId} from ${paymentSettlements} where ${within})`
  return and(sql`(${payments.sellerId}, ${payments.id}) in ${parts}`, madeBefore(to))
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
    paidWithin(filter),
    filter.isPaid && isNotNull(payments.paidAt),
    settledWithin(filter),
  )
}
