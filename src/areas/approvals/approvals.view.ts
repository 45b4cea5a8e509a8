import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Approval } from './approvals.repository.ts'

/** An approval as administrators see it. */
export const approvalView = (row: Approval) => ({
  id: row.id,
  kind: row.kind,
  subjectId: row.subjectId,
  sellerId: row.sellerId,
  amount: row.amount,
  reason: row.reason,
  status: row.status,
  proposedBy: row.proposedBy,
  decidedBy: row.decidedBy,
  decisionReason: row.decisionReason,
  decidedAt: toTimestampOrNull(row.decidedAt),
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type ApprovalView = ReturnType<typeof approvalView>

/** What an act that may need a second administrator came to: it is done, or it waits. */
export type Decided<View> = { waits: false; view: View } | { waits: true; view: ApprovalView }
