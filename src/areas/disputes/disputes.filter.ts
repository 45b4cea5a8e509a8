import { and, eq, inArray, lt, type SQL } from 'drizzle-orm'
import { madeWithin } from '../../db/id-period.ts'
import type { DisputeStatus, DisputeType } from '../../domain/dispute.ts'
import type { Period } from '../../domain/period.ts'
import { disputes } from './disputes.tables.ts'

/** Which disputes. Without a seller, of all sellers: for administrators only. */
export type DisputeFilter = Period & {
  sellerId?: string | undefined
  paymentId?: string | undefined
  status?: readonly DisputeStatus[] | undefined
  type?: readonly DisputeType[] | undefined
  /** Only those that have to be answered before this instant. */
  respondBefore?: Date | undefined
}

/** The condition behind the filters of a list. */
export const disputesWhere = ({
  sellerId,
  paymentId,
  status,
  type,
  respondBefore,
  ...period
}: DisputeFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(disputes.sellerId, sellerId),
    paymentId === undefined ? undefined : eq(disputes.paymentId, paymentId),
    status === undefined || status.length === 0 ? undefined : inArray(disputes.status, [...status]),
    type === undefined || type.length === 0 ? undefined : inArray(disputes.type, [...type]),
    respondBefore === undefined ? undefined : lt(disputes.respondBy, respondBefore),
    madeWithin(disputes, period),
  )
