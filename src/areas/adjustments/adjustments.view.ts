import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Adjustment, SellerDebt } from './adjustments.repository.ts'

/** An adjustment as the API and its event show it. Who made it is the platform's own affair. */
export const adjustmentEventData = (row: Adjustment) => ({
  id: row.id,
  sellerId: row.sellerId,
  kind: row.kind,
  amount: row.amount,
  reason: row.reason,
  createdAt: toTimestamp(row.createdAt),
})

/** An adjustment as administrators see it. */
export const adjustmentView = (row: Adjustment) => ({
  ...adjustmentEventData(row),
  against: row.against,
  allowNegative: row.forced,
  proposedBy: row.proposedBy,
  approvedBy: row.approvedBy,
})

export type AdjustmentView = ReturnType<typeof adjustmentView>

/** What a seller owes, as administrators see it. */
export const debtView = ({ sellerId, sellerName, owedAmount, owedSince, toldAt }: SellerDebt) => ({
  sellerId,
  sellerName,
  owedAmount,
  owedSince: toTimestamp(owedSince),
  toldAt: toTimestampOrNull(toldAt),
})
