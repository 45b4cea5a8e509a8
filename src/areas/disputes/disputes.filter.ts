import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { madeWithin } from '../../db/id-period.ts'
import type { DisputeStatus, DisputeType } from '../../domain/dispute.ts'
import type { Period } from '../../http/period.ts'
import { disputes } from './disputes.tables.ts'

/** Which disputes of a seller. */
export type DisputeFilter = Period & {
  sellerId: string
  paymentId?: string | undefined
  status?: readonly DisputeStatus[] | undefined
  type?: readonly DisputeType[] | undefined
}

/** The condition behind the filters of a list. */
export const disputesWhere = ({ sellerId, paymentId, status, type, ...period }: DisputeFilter): SQL | undefined =>
  and(
    eq(disputes.sellerId, sellerId),
    paymentId === undefined ? undefined : eq(disputes.paymentId, paymentId),
    status === undefined || status.length === 0 ? undefined : inArray(disputes.status, [...status]),
    type === undefined || type.length === 0 ? undefined : inArray(disputes.type, [...type]),
    madeWithin(disputes, period),
  )
