import { toTimestamp } from '../../domain/timestamp.ts'
import type { ReceivedPix } from './received-pix.repository.ts'

/** A Pix that came in, as administrators see it. */
export const receivedPixView = (row: ReceivedPix) => ({
  id: row.id,
  endToEndId: row.endToEndId,
  provider: row.provider,
  txid: row.txid,
  amount: row.amount,
  status: row.status,
  reason: row.reason,
  sellerId: row.sellerId,
  paymentId: row.paymentId,
  resolvedBy: row.resolvedBy,
  explanation: row.explanation,
  receivedAt: toTimestamp(row.receivedAt),
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})
