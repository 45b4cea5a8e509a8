import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { madeWithin } from '../../db/id-period.ts'
import type { Period } from '../../domain/period.ts'
import type { RefundStatus } from '../../domain/refund.ts'
import { refunds } from './refunds.tables.ts'

/** Which refunds of a seller. */
export type RefundFilter = Period & {
  sellerId: string
  paymentId?: string | undefined
  status?: readonly RefundStatus[] | undefined
}

/** The condition behind the filters of a list. */
export const refundsWhere = ({ sellerId, paymentId, status, ...period }: RefundFilter): SQL | undefined =>
  and(
    eq(refunds.sellerId, sellerId),
    paymentId === undefined ? undefined : eq(refunds.paymentId, paymentId),
    status === undefined || status.length === 0 ? undefined : inArray(refunds.status, [...status]),
    madeWithin(refunds, period),
  )
