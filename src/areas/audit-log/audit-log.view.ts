import type { AuditRow } from '../../audit/audit.repository.ts'
import { toTimestamp } from '../../domain/timestamp.ts'

/** An act as administrators see it. */
export const auditView = (row: AuditRow) => ({
  id: row.id,
  actorId: row.actorId,
  actorRole: row.actorRole,
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  sellerId: row.sellerId,
  before: row.before,
  after: row.after,
  createdAt: toTimestamp(row.createdAt),
})
