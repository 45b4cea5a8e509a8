import type { ApprovalKind } from '../../domain/approval.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Approval } from './approvals.repository.ts'
import { CHANGE_MAX, CHANGES_MAX } from './approvals.schemas.ts'

// The others are told by their amount and what they are about, and name people's keys.
const SHOWN: ReadonlySet<ApprovalKind> = new Set(['fee', 'withdrawal_config', 'reserve_config', 'role', 'policy'])

const changesOf = (row: Approval) =>
  Object.entries(SHOWN.has(row.kind) ? row.request : {})
    .slice(0, CHANGES_MAX)
    .map(([field, value]) => ({ field, value: JSON.stringify(value).slice(0, CHANGE_MAX) }))

/** An approval as administrators see it. */
export const approvalView = (row: Approval) => ({
  id: row.id,
  kind: row.kind,
  subjectId: row.subjectId,
  sellerId: row.sellerId,
  amount: row.amount,
  reason: row.reason,
  changes: changesOf(row),
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
