import { ZERO } from '../../domain/money.ts'
import { remainingOf } from '../../domain/reconciliation.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { PayerRefund } from './payer-refunds.repository.ts'
import type { Reconciliation, ReconciliationException } from './reconciliation.repository.ts'
import type { Run } from './reconciliation.runs.repository.ts'
import type { ExceptionResolution, OurSide } from './reconciliation.story.queries.ts'

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

const sameResult = (one: Run, other: Run): boolean =>
  one.providerAmount === other.providerAmount &&
  one.platformAmount === other.platformAmount &&
  one.matchedCount === other.matchedCount &&
  one.exceptionCount === other.exceptionCount

// Newest first: what corrected a run stands before it.
const runView = (run: Run, index: number, runs: readonly Run[]) => {
  const later = runs.slice(0, index).filter(({ finishedAt }) => finishedAt !== null)
  return {
    run: run.run,
    cause: run.cause,
    requestedBy: run.requestedBy,
    statementId: run.statementId,
    providerAmount: run.providerAmount,
    platformAmount: run.platformAmount,
    matchedCount: run.matchedCount,
    exceptionCount: run.exceptionCount,
    correctedCount: run.correctedCount,
    correctedBy: run.finishedAt === null ? null : (later.findLast((one) => !sameResult(one, run))?.run ?? null),
    startedAt: toTimestamp(run.startedAt),
    finishedAt: toTimestampOrNull(run.finishedAt),
  }
}

/** A day with each time that it was compared. */
export const reconciliationDetailView = (row: Reconciliation, runs: readonly Run[]) => ({
  ...reconciliationView(row),
  runs: runs.map(runView),
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
  remainingAmount: row.status === 'open' ? remainingOf(row) : ZERO,
  reason: row.reason,
  resolvedBy: row.resolvedBy,
  approvedBy: row.approvedBy,
  resolvedByRun: row.resolvedByRun,
  resolvedAt: toTimestampOrNull(row.resolvedAt),
  reopenedCount: row.reopenedCount,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type ExceptionView = ReturnType<typeof exceptionView>

const resolutionView = (row: ExceptionResolution) => {
  const { id, postedAmount: amount, account, bookId: sellerId } = row
  return {
    resolution: row.resolution,
    reason: row.reason,
    resolvedBy: row.resolvedBy,
    approvedBy: row.approvedBy,
    run: row.run,
    providerAmount: row.providerAmount,
    platformAmount: row.platformAmount,
    posting: amount === null || account === null || sellerId === null ? null : { id, sellerId, account, amount },
    at: toTimestamp(row.createdAt),
  }
}

const payerRefundView = (row: PayerRefund) => ({
  id: row.id,
  amount: row.amount,
  status: row.status,
  statusReason: row.statusReason,
  completedAt: toTimestampOrNull(row.completedAt),
  createdAt: toTimestamp(row.createdAt),
})

const theirSide = ({ reference, endToEndId, providerAmount, happenedAt, kind }: ReconciliationException) =>
  kind === 'missing_there'
    ? null
    : { reference, endToEndId, amount: providerAmount, happenedAt: toTimestampOrNull(happenedAt) }

type Story = {
  ours: OurSide | undefined
  approvalId: string | null
  resolutions: readonly ExceptionResolution[]
  payerRefunds: readonly PayerRefund[]
}

/** An exception with both sides, and who did what about it. */
export const exceptionStoryView = (row: ReconciliationException, story: Story) => ({
  ...exceptionView(row),
  theirs: theirSide(row),
  ours: story.ours === undefined ? null : { ...story.ours, at: toTimestampOrNull(story.ours.at) },
  approvalId: story.approvalId,
  resolutions: story.resolutions.map(resolutionView),
  payerRefunds: story.payerRefunds.map(payerRefundView),
})
