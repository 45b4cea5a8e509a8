import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { ZERO } from '../../domain/money.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { StatementLine } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { exceptionEvents } from './reconciliation.events.ts'
import type { Day, Found } from './reconciliation.matching.repository.ts'
import type { Reconciliation, ReconciliationException } from './reconciliation.repository.ts'

/** Providers have yesterday together by then. */
const NIGHTLY_AT_MS = 4 * 3_600_000
/** Clocks of two houses: what happened here at midnight happened there a little before or after. */
const SLACK_MS = 3_600_000
const LINES_PER_BATCH = 5_000
const UNSETTLED_MAX = 30
const MATCHED_LATER = 'A later run found that it agrees.'

type Dependencies = {
  read: Pick<Reads, 'reconciliation'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>
}

/** A day that has yet to be compared. */
export const newReconciliation = (id: string, provider: string, date: string, now: Date): Reconciliation => ({
  id,
  provider,
  date,
  status: 'running',
  run: 1,
  providerAmount: ZERO,
  platformAmount: ZERO,
  matchedCount: 0,
  exceptionCount: 0,
  startedAt: now,
  finishedAt: null,
  createdAt: now,
  updatedAt: now,
})

const keyOf = ({ kind, subject }: Pick<Found, 'kind' | 'subject'>): string => `${kind} ${subject}`

const sameFacts = (row: ReconciliationException, found: Found): boolean =>
  row.providerAmount === found.providerAmount && row.platformAmount === found.platformAmount

const opened = (
  found: Found,
  { id, provider, date, now }: { id: string; provider: string; date: string; now: Date },
) => ({
  ...found,
  id,
  provider,
  date,
  status: 'open' as const,
  resolution: null,
  reason: null,
  resolvedBy: null,
  approvedBy: null,
  resolvedAt: null,
  reopenedCount: 0,
  createdAt: now,
  updatedAt: now,
})

// What a person resolved stays so while the facts do; what a run had matched opens again whenever it is found again.
const judged = (row: ReconciliationException, found: Found | undefined, now: Date): ReconciliationException => {
  if (found === undefined) {
    if (row.status === 'resolved') return row
    return { ...row, status: 'resolved', resolution: 'match', reason: MATCHED_LATER, resolvedAt: now, updatedAt: now }
  }
  const { providerAmount, platformAmount } = found
  if (row.status === 'open')
    return sameFacts(row, found) ? row : { ...row, providerAmount, platformAmount, updatedAt: now }
  if (row.resolvedBy !== null && sameFacts(row, found)) return row
  const { id, provider, date, createdAt } = row
  const again = opened(found, { id, provider, date, now })
  return { ...again, reopenedCount: row.reopenedCount + 1, createdAt }
}

const settleExceptions = async (
  tx: Repositories,
  { provider, date }: Reconciliation,
  found: readonly Found[],
  { newId, now }: { newId: NewId; now: Date },
): Promise<void> => {
  const known = await tx.reconciliation.lockExceptions(provider, date)
  const left = new Map(found.map((one) => [keyOf(one), one]))
  const events: NewEvent[] = []
  for (const row of known) {
    const after = judged(row, left.get(keyOf(row)), now)
    left.delete(keyOf(row))
    if (after === row) continue
    await tx.reconciliation.moveException(row.status, after)
    if (after.status !== row.status) events.push(...exceptionEvents(after))
  }
  for (const one of left.values()) {
    const row = opened(one, { id: newId(), provider, date, now })
    await tx.reconciliation.insertException(row)
    events.push(...exceptionEvents(row))
  }
  await tx.events.add(events, now)
}

const forgetOthers = async (transact: Transact, day: Day): Promise<void> => {
  while ((await transact((tx) => tx.reconciliation.deleteOtherLines(day, LINES_PER_BATCH))) > 0);
}

/** Compares days with what providers say, as far as it fits in no memory: lines go to the database as they come. */
export const createReconcile = ({ read, transact, providers, clock, newId, logger }: Dependencies) => {
  const load = async (day: Day, list: (period: { from: Date; to: Date }) => AsyncIterable<StatementLine>) => {
    const period = { from: new Date(day.from.getTime() - SLACK_MS), to: new Date(day.to.getTime() + SLACK_MS) }
    let batch: (StatementLine & { number: number })[] = []
    let number = 0
    const file = async () => {
      const lines = batch
      batch = []
      await transact((tx) => tx.reconciliation.insertLines(day, lines))
    }
    for await (const line of list(period)) {
      number += 1
      batch.push({ ...line, number })
      if (batch.length === LINES_PER_BATCH) await file()
    }
    if (batch.length > 0) await file()
  }

  const compare = async (row: Reconciliation, day: Day): Promise<void> => {
    const now = clock.now()
    const result = await transact(async (tx) => {
      const found = await tx.reconciliation.listFound(day)
      const { linesCount, ...amounts } = await tx.reconciliation.sumDay(day)
      await settleExceptions(tx, row, found, { newId, now })
      const ofLines = found.filter(({ kind }) => kind !== 'missing_there').length
      const counts = { matchedCount: linesCount - ofLines, exceptionCount: found.length }
      const to = found.length === 0 ? 'balanced' : 'exceptions'
      await tx.reconciliation.finish(row.id, to, { ...amounts, ...counts, finishedAt: now }, now)
      return { ...amounts, ...counts }
    })
    logger.info({ provider: row.provider, date: row.date, ...result }, 'a day was compared with its provider')
  }

  const reconcile = async (row: Reconciliation): Promise<void> => {
    const statements = providers.find(row.provider)?.statements
    if (statements === undefined) {
      return logger.error({ provider: row.provider, date: row.date }, 'this provider gives no statement any more')
    }
    // A run that was cut off left lines behind: this one files them under another number.
    const { id: reconciliationId, provider, date } = row
    const [from, to] = [startOfSaoPauloDay(date), startOfSaoPauloDay(addDays(date, 1))]
    const day = { reconciliationId, run: row.run, provider, from, to }
    await transact((tx) => tx.reconciliation.deleteLines(day))
    await load(day, (period) => statements.list(period))
    await compare(row, day)
    await forgetOthers(transact, day)
  }

  const begin = async (provider: string, date: string): Promise<void> => {
    const now = clock.now()
    await transact((tx) => tx.reconciliation.begin(newReconciliation(newId(), provider, date, now)))
  }

  const givesStatements = (provider: string): boolean => providers.find(provider)?.statements !== undefined

  const beginYesterday = async (yesterday: string): Promise<void> => {
    for (const { name } of providers.all.filter(({ statements }) => statements !== undefined)) {
      if ((await read.reconciliation.findDay(name, yesterday)) === undefined) await begin(name, yesterday)
    }
  }

  /** What tonight has to compare: yesterday, and the days that do not agree yet. */
  const beginTonight = async (): Promise<void> => {
    const now = clock.now()
    const today = saoPauloDate(now)
    const tonight = new Date(startOfSaoPauloDay(today).getTime() + NIGHTLY_AT_MS)
    if (now < tonight) return
    await beginYesterday(addDays(today, -1))
    const unsettled = await read.reconciliation.listUnsettled(tonight, UNSETTLED_MAX)
    for (const { provider, date } of unsettled.filter((row) => givesStatements(row.provider)))
      await begin(provider, date)
  }

  return {
    reconcileProviders: {
      /** Compares one day that is due. Answers 0 where none is. */
      async runOnce(): Promise<number> {
        await beginTonight()
        const row = await read.reconciliation.findRunning()
        if (row === undefined) return 0
        await reconcile(row)
        return 1
      },
    },
  }
}
