import { maskPixKey } from '../../domain/masks.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Dispute } from '../disputes/disputes.queries.ts'
import type { Withdrawal } from './withdrawals.queries.ts'

/** A withdrawal as the API shows it. */
export const withdrawalView = (row: Withdrawal) => ({
  id: row.id,
  sellerId: row.sellerId,
  amount: row.amount,
  feeAmount: row.feeAmount,
  netAmount: row.netAmount,
  pixKeyType: row.pixKeyType,
  pixKey: row.pixKey,
  status: row.status,
  statusReason: row.statusReason,
  endToEndId: row.endToEndId,
  approvedBy: row.approvedBy,
  requestedAt: toTimestamp(row.requestedAt),
  approvedAt: toTimestampOrNull(row.approvedAt),
  completedAt: toTimestampOrNull(row.completedAt),
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

/** A dispute that took what a withdrawal was to be paid from. */
export const claimView = ({ id, paymentId, type, status, amount, createdAt }: Dispute) => ({
  id,
  paymentId,
  type,
  status,
  amount,
  createdAt: toTimestamp(createdAt),
})

export type WithdrawalView = ReturnType<typeof withdrawalView>

/** A withdrawal as events and the audit log carry it: they end up in many places, so the Pix key is masked. */
export const maskedWithdrawal = (row: Withdrawal): WithdrawalView => ({
  ...withdrawalView(row),
  pixKey: maskPixKey(row.pixKeyType, row.pixKey),
})
