import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Reconciliation, ReconciliationException } from './reconciliation.repository.ts'

export const reconciliationView = (row: Reconciliation) => ({
  id: row.id,
  provider: row.provider,
  date: row.date,
  status: row.status,
  providerAmount: row.providerAmount,
  platformAmount: row.platformAmount,
  matchedCount: row.matchedCount,
  exceptionCount: row.exceptionCount,
  startedAt: toTimestamp(row.startedAt),
  finishedAt: toTimestampOrNull(row.finishedAt),
})

/** What a seller is told of an exception about their money. */
export const exceptionEventData = (row: ReconciliationException) => ({
  id: row.id,
  kind: row.kind,
  lineKind: row.lineKind,
  provider: row.provider,
  date: row.date,
  subjectId: row.subjectId,
  endToEndId: row.endToEndId,
  providerAmount: row.providerAmount,
  platformAmount: row.platformAmount,
  status: row.status,
  resolution: row.resolution,
})

export const exceptionView = (row: ReconciliationException) => ({
  ...exceptionEventData(row),
  sellerId: row.sellerId,
  reason: row.reason,
  resolvedBy: row.resolvedBy,
  approvedBy: row.approvedBy,
  resolvedAt: toTimestampOrNull(row.resolvedAt),
  reopenedCount: row.reopenedCount,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type ExceptionView = ReturnType<typeof exceptionView>
