import { and, asc, eq, exists, gte, inArray, lt, or } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { Period } from '../../domain/period.ts'
import {
  type ExceptionKind,
  type ExceptionStatus,
  exceptionLifecycle,
  type ReconciliationStatus,
  reconciliationLifecycle,
} from '../../domain/reconciliation.ts'
import { createPayerRefundsQueries, createPayerRefundsRepository } from './payer-refunds.repository.ts'
import { createProviderStatementsQueries } from './provider-statements.queries.ts'
import { createMatchingRepository } from './reconciliation.matching.repository.ts'
import { createOpenQueries } from './reconciliation.open.queries.ts'
import { createRunsQueries, createRunsRepository, type Why } from './reconciliation.runs.repository.ts'
import { createStoryQueries } from './reconciliation.story.queries.ts'
import { exceptionResolutions, reconciliationExceptions, reconciliations } from './reconciliation.tables.ts'

export type Reconciliation = typeof reconciliations.$inferSelect
export type ReconciliationException = typeof reconciliationExceptions.$inferSelect
export type ExceptionResolution = typeof exceptionResolutions.$inferSelect

export type ReconciliationFilter = Period & { status?: readonly ReconciliationStatus[] | undefined }
export type ExceptionFilter = Period & {
  status?: readonly ExceptionStatus[] | undefined
  kind?: readonly ExceptionKind[] | undefined
}

type Finish = Pick<
  Reconciliation,
  'providerAmount' | 'platformAmount' | 'matchedCount' | 'exceptionCount' | 'finishedAt'
>

const only = (id: string) => eq(reconciliations.id, id)

const oneOf = <Value extends string>(values: readonly Value[] | undefined): Value[] | undefined =>
  values === undefined || values.length === 0 ? undefined : [...values]

export const createReconciliationQueries = (db: Reader) => ({
  ...createRunsQueries(db),
  ...createStoryQueries(db),
  ...createOpenQueries(db),
  ...createPayerRefundsQueries(db),
  ...createProviderStatementsQueries(db),

  async find(id: string): Promise<Reconciliation | undefined> {
    const [row] = await db.select().from(reconciliations).where(only(id))
    return row
  },

  async findDay(provider: string, date: string): Promise<Reconciliation | undefined> {
    const [row] = await db
      .select()
      .from(reconciliations)
      .where(and(eq(reconciliations.provider, provider), eq(reconciliations.date, date)))
    return row
  },

  async findException(id: string): Promise<ReconciliationException | undefined> {
    const [row] = await db.select().from(reconciliationExceptions).where(eq(reconciliationExceptions.id, id))
    return row
  },

  /** Days that are to be compared, the oldest first. */
  async listRunning(limit: number): Promise<Reconciliation[]> {
    return db
      .select()
      .from(reconciliations)
      .where(eq(reconciliations.status, 'running'))
      .orderBy(asc(reconciliations.date), asc(reconciliations.id))
      .limit(limit)
  },

  /**
   * Days with exceptions that were compared before an instant, the oldest first: those with open ones, and those since a
   * date, because what was resolved may come by itself after all.
   */
  async listUnsettled(comparedBefore: Date, since: string, limit: number): Promise<Reconciliation[]> {
    const { provider, date, status } = reconciliationExceptions
    const open = db
      .select()
      .from(reconciliationExceptions)
      .where(and(eq(provider, reconciliations.provider), eq(date, reconciliations.date), eq(status, 'open')))
    return db
      .select()
      .from(reconciliations)
      .where(
        and(
          eq(reconciliations.status, 'exceptions'),
          lt(reconciliations.startedAt, comparedBefore),
          or(exists(open), gte(reconciliations.date, since)),
        ),
      )
      .orderBy(asc(reconciliations.date))
      .limit(limit)
  },

  /** Newest first. */
  async list({ status, ...period }: ReconciliationFilter, page: PageRequest): Promise<Page<Reconciliation>> {
    const statuses = oneOf(status)
    const where = and(statuses && inArray(reconciliations.status, statuses), madeWithin(reconciliations, period))
    return readPage({ db, table: reconciliations, id: reconciliations.id, where }, page)
  },

  /** Newest first. */
  async listExceptions(
    { status, kind, ...period }: ExceptionFilter,
    page: PageRequest,
  ): Promise<Page<ReconciliationException>> {
    const [statuses, kinds] = [oneOf(status), oneOf(kind)]
    const table = reconciliationExceptions
    const where = and(
      statuses && inArray(table.status, statuses),
      kinds && inArray(table.kind, kinds),
      madeWithin(table, period),
    )
    return readPage({ db, table, id: table.id, where }, page)
  },
})

export const createReconciliationRepository = (db: Writer) => ({
  ...createReconciliationQueries(db),
  ...createMatchingRepository(db),
  ...createRunsRepository(db),
  ...createPayerRefundsRepository(db),

  /**
   * Writes a day down to be compared, or to be compared again. One that is being compared stays as it is, unless a file was
   * handed in: then what is under way counts no more. Answers it.
   */
  async begin(day: Reconciliation, why: Why): Promise<Reconciliation> {
    await db.insert(reconciliations).values(day).onConflictDoNothing()
    const known = await this.findDay(day.provider, day.date)
    if (known === undefined || known.id === day.id) {
      await this.insertRun(day, why)
      return day
    }
    if (known.status === 'running' && why.cause !== 'statement') return known
    const [row] = await moveWhere(db, reconciliations, reconciliationLifecycle, {
      from: known.status,
      to: 'running',
      changes: { run: known.run + 1, startedAt: day.startedAt, finishedAt: null, updatedAt: day.updatedAt },
      where: and(only(known.id), eq(reconciliations.run, known.run)),
    })
    if (row !== undefined) await this.insertRun(row, why)
    return row ?? known
  },

  /** Locks a day that is still to be compared by this run. False: a later one has begun. */
  async lockRun({ id, run }: Pick<Reconciliation, 'id' | 'run'>): Promise<boolean> {
    const rows = await db
      .select({ id: reconciliations.id })
      .from(reconciliations)
      .where(and(only(id), eq(reconciliations.run, run), eq(reconciliations.status, 'running')))
      .for('update')
    return rows.length === 1
  },

  async finish(
    { id, run }: Pick<Reconciliation, 'id' | 'run'>,
    to: 'balanced' | 'exceptions',
    { correctedCount, ...changes }: Finish & { correctedCount: number },
    now: Date,
  ): Promise<void> {
    await moveWhere(db, reconciliations, reconciliationLifecycle, {
      from: 'running',
      to,
      changes: { ...changes, updatedAt: now },
      where: only(id),
    })
    await this.finishRun({ reconciliationId: id, run, ...changes, correctedCount })
  },

  /** All exceptions of a day, locked. */
  async lockExceptions(provider: string, date: string): Promise<ReconciliationException[]> {
    return db
      .select()
      .from(reconciliationExceptions)
      .where(and(eq(reconciliationExceptions.provider, provider), eq(reconciliationExceptions.date, date)))
      .orderBy(asc(reconciliationExceptions.id))
      .for('update')
  },

  async lockException(id: string): Promise<ReconciliationException | undefined> {
    const [row] = await db
      .select()
      .from(reconciliationExceptions)
      .where(eq(reconciliationExceptions.id, id))
      .for('update')
    return row
  },

  async insertException(row: ReconciliationException): Promise<void> {
    await db.insert(reconciliationExceptions).values(row)
  },

  async insertResolution(row: ExceptionResolution): Promise<void> {
    await db.insert(exceptionResolutions).values(row)
  },

  /** Writes an exception as it is to stand; its status goes by the lifecycle. */
  async moveException(from: ExceptionStatus, row: ReconciliationException): Promise<void> {
    const { id, status: to, ...changes } = row
    const where = eq(reconciliationExceptions.id, id)
    await moveWhere(db, reconciliationExceptions, exceptionLifecycle, { from, to, changes, where })
  },
})
