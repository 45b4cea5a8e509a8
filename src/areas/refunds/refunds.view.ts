import { toTimestamp } from '../../domain/timestamp.ts'
import type { Refund } from './refunds.repository.ts'

/** A refund as the API and its events show it. */
export const refundView = (row: Refund) => ({
  id: row.id,
  paymentId: row.paymentId,
  amount: row.amount,
  reason: row.reason,
  status: row.status,
  origin: row.origin,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type RefundView = ReturnType<typeof refundView>
