import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import { exceptionEvents } from './reconciliation.events.ts'
import type { Found } from './reconciliation.matching.repository.ts'
import type { ExceptionResolution, Reconciliation, ReconciliationException } from './reconciliation.repository.ts'

const MATCHED_LATER = 'A later run found that it agrees.'

const keyOf = ({ kind, subject }: Pick<Found, 'kind' | 'subject'>): string => `${kind} ${subject}`

const sameFacts = (row: ReconciliationException, found: Found): boolean =>
  row.providerAmount === found.providerAmount && row.platformAmount === found.platformAmount

type Opening = { id: string; provider: string; date: string; now: Date }

const opened = (found: Found, { id, provider, date, now }: Opening): ReconciliationException => ({
  ...found,
  id,
  provider,
  date,
  correctedAmount: null,
  status: 'open',
  resolution: null,
  reason: null,
  resolvedBy: null,
  approvedBy: null,
  resolvedAt: null,
  resolvedByRun: null,
  reopenedCount: 0,
  createdAt: now,
  updatedAt: now,
})

// What agrees by itself after it was corrected is corrected once too often: both sides are alike, the posting is not.
const asCorrected = (row: ReconciliationException): Found | undefined =>
  (row.correctedAmount ?? 0) === 0 ? undefined : { ...row, platformAmount: row.providerAmount }

const agreed = (row: ReconciliationException, run: number, now: Date): ReconciliationException => {
  if (row.status === 'resolved') return row
  const how = { resolution: 'match' as const, reason: MATCHED_LATER, resolvedByRun: run }
  return { ...row, ...how, status: 'resolved', resolvedAt: now, updatedAt: now }
}

// What a person resolved stays so while the facts do; what a run had matched opens again whenever it is found again.
const judged = (
  row: ReconciliationException,
  found: Found | undefined,
  { run, now }: { run: number; now: Date },
): ReconciliationException => {
  const facts = found ?? asCorrected(row)
  if (facts === undefined) return agreed(row, run, now)
  const { providerAmount, platformAmount } = facts
  if (row.status === 'open')
    return sameFacts(row, facts) ? row : { ...row, providerAmount, platformAmount, updatedAt: now }
  if (row.resolvedBy !== null && sameFacts(row, facts)) return row
  const { id, provider, date, createdAt, correctedAmount } = row
  const again = opened(facts, { id, provider, date, now })
  return { ...again, correctedAmount, reopenedCount: row.reopenedCount + 1, createdAt }
}

const resolutionOf = (
  { id: exceptionId, providerAmount, platformAmount }: ReconciliationException,
  { id, run, now }: { id: string; run: number; now: Date },
): ExceptionResolution => ({
  ...{ id, exceptionId, providerAmount, platformAmount, run },
  ...{ resolution: 'match', reason: MATCHED_LATER, resolvedBy: null, approvedBy: null },
  ...{ postedAmount: null, account: null, bookId: null, createdAt: now },
})

/** Writes what a day's exceptions are from now on. Answers how many it found to agree, and how many are open. */
export const judgeExceptions = async (
  tx: Repositories,
  { provider, date, run }: Reconciliation,
  found: readonly Found[],
  { newId, now }: { newId: NewId; now: Date },
): Promise<{ correctedCount: number; openCount: number }> => {
  const known = await tx.reconciliation.lockExceptions(provider, date)
  const left = new Map(found.map((one) => [keyOf(one), one]))
  const after: ReconciliationException[] = []
  const events: NewEvent[] = []
  let correctedCount = 0
  for (const row of known) {
    const next = judged(row, left.get(keyOf(row)), { run, now })
    left.delete(keyOf(row))
    after.push(next)
    if (next === row) continue
    await tx.reconciliation.moveException(row.status, next)
    if (next.status === row.status) continue
    events.push(...exceptionEvents(next))
    if (next.status === 'open') continue
    correctedCount += 1
    await tx.reconciliation.insertResolution(resolutionOf(next, { id: newId(), run, now }))
  }
  for (const one of left.values()) {
    const row = opened(one, { id: newId(), provider, date, now })
    after.push(row)
    await tx.reconciliation.insertException(row)
    events.push(...exceptionEvents(row))
  }
  await tx.events.add(events, now)
  return { correctedCount, openCount: after.filter(({ status }) => status === 'open').length }
}
