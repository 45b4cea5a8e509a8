import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { addDays, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { invariant } from '../../domain/invariant.ts'
import { ZERO } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { StatementLine } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { judgeExceptions } from './reconciliation.judging.ts'
import type { Day } from './reconciliation.matching.repository.ts'
import type { Reconciliation } from './reconciliation.repository.ts'
import type { FileLine } from './statement-file.ts'
import { statementReaders } from './statement-files.ts'

/** Clocks of two houses: what happened here at midnight happened there a little before or after. */
export const SLACK_MS = 3_600_000
const LINES_PER_BATCH = 5_000

export type ComparisonDependencies = {
  read: Pick<Reads, 'reconciliation'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  storage: Pick<DocumentStorage, 'open'>
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

const forgetOthers = async (transact: Transact, day: Day): Promise<void> => {
  while ((await transact((tx) => tx.reconciliation.deleteOtherLines(day, LINES_PER_BATCH))) > 0);
}

type Period = { from: Date; to: Date }

const linesOfFile = async function* (file: AsyncIterable<FileLine>): AsyncGenerator<StatementLine> {
  for await (const read of file) {
    invariant('line' in read, 'a file that was taken as a statement cannot be read any more')
    yield read.line
  }
}

const load = async (transact: Transact, day: Day, lines: AsyncIterable<StatementLine>): Promise<void> => {
  let batch: (StatementLine & { number: number })[] = []
  let number = 0
  const file = async () => {
    const given = batch
    batch = []
    await transact((tx) => tx.reconciliation.insertLines(day, given))
  }
  for await (const line of lines) {
    number += 1
    batch.push({ ...line, number })
    if (batch.length === LINES_PER_BATCH) await file()
  }
  if (batch.length > 0) await file()
}

/** Compares a day with what its provider says. Lines go to the database as they come, since no day has to fit into memory. */
export const createComparison = ({
  read,
  transact,
  providers,
  clock,
  newId,
  storage,
  logger,
}: ComparisonDependencies) => {
  const compare = async (row: Reconciliation, day: Day): Promise<void> => {
    const now = clock.now()
    const result = await transact(async (tx) => {
      // A file that was handed in meanwhile has begun another run, which files lines of its own.
      if (!(await tx.reconciliation.lockRun(row))) return undefined
      await tx.reconciliation.matchUnnamedLines(day)
      const found = await tx.reconciliation.listFound(day)
      const { linesCount, ...amounts } = await tx.reconciliation.sumDay(day)
      const { correctedCount, openCount } = await judgeExceptions(tx, row, found, { newId, now })
      const ofLines = found.filter(({ kind }) => kind !== 'missing_there').length
      const counts = { matchedCount: linesCount - ofLines, exceptionCount: found.length, correctedCount }
      const to = found.length + openCount === 0 ? 'balanced' : 'exceptions'
      await tx.reconciliation.finish(row, to, { ...amounts, ...counts, finishedAt: now }, now)
      return { ...amounts, ...counts }
    })
    if (result === undefined) return
    logger.info({ provider: row.provider, date: row.date, ...result }, 'a day was compared with its provider')
    await forgetOthers(transact, day)
  }

  /** The lines of the file that somebody handed in for the day, else of the provider's own list. */
  const listLines = async ({ provider, date }: Reconciliation, period: Period) => {
    const statement = await read.reconciliation.findStatement(provider, date)
    if (statement !== undefined) {
      const { format, storageKey } = statement
      return linesOfFile(statementReaders[format](() => storage.open(storageKey), date))
    }
    return providers.find(provider)?.statements?.list(period)
  }

  // Nothing to compare with any more: the day stays as it was compared last, and holds up no other.
  const leave = async (row: Reconciliation): Promise<void> => {
    const { provider, date, providerAmount, platformAmount, matchedCount, exceptionCount } = row
    logger.error({ provider, date }, 'this provider gives no statement any more')
    const now = clock.now()
    const result = { providerAmount, platformAmount, matchedCount, exceptionCount, correctedCount: 0, finishedAt: now }
    await transact((tx) => tx.reconciliation.finish(row, 'exceptions', result, now))
  }

  /** Throws where the statement cannot be read; the day is then compared again. */
  const reconcile = async (row: Reconciliation): Promise<void> => {
    // A run that was cut off left lines behind: this one files them under another number.
    const { id: reconciliationId, provider, date } = row
    const [from, to] = [startOfSaoPauloDay(date), startOfSaoPauloDay(addDays(date, 1))]
    const day = { reconciliationId, run: row.run, provider, from, to }
    const period = { from: new Date(from.getTime() - SLACK_MS), to: new Date(to.getTime() + SLACK_MS) }
    const lines = await listLines(row, period)
    if (lines === undefined) return leave(row)
    await transact((tx) => tx.reconciliation.deleteLines(day))
    await load(transact, day, lines)
    await compare(row, day)
  }

  return reconcile
}
