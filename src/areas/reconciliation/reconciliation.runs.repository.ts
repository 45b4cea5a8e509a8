import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { ZERO } from '../../domain/money.ts'
import type { RunCause } from '../../domain/reconciliation.ts'
import { providerStatements, reconciliationRuns, type reconciliations } from './reconciliation.tables.ts'

export type Run = typeof reconciliationRuns.$inferSelect

/** Why a day is compared. */
export type Why = { cause: RunCause; requestedBy: string | null }

type Day = typeof reconciliations.$inferSelect
type Statement = typeof providerStatements.$inferSelect
type Result = Omit<Run, 'cause' | 'requestedBy' | 'statementId' | 'startedAt'>

/** As many runs of a day as anybody looks at. */
const RUNS_MAX = 50

export const createRunsQueries = (db: Reader) => ({
  /** The runs of a day, newest first, at most 50. */
  async listRuns(reconciliationId: string): Promise<Run[]> {
    return db
      .select()
      .from(reconciliationRuns)
      .where(eq(reconciliationRuns.reconciliationId, reconciliationId))
      .orderBy(desc(reconciliationRuns.run))
      .limit(RUNS_MAX)
  },

  /** The file that counts as a provider's statement of a day; undefined: the provider's own list does. */
  async findStatement(provider: string, date: string): Promise<Statement | undefined> {
    const [row] = await db
      .select()
      .from(providerStatements)
      .where(and(eq(providerStatements.provider, provider), eq(providerStatements.date, date)))
      .orderBy(desc(providerStatements.updatedAt), desc(providerStatements.id))
      .limit(1)
    return row
  },
})

export const createRunsRepository = (db: Writer) => ({
  async insertRun({ id, run, provider, date, startedAt }: Day, { cause, requestedBy }: Why): Promise<void> {
    const statement = await createRunsQueries(db).findStatement(provider, date)
    await db.insert(reconciliationRuns).values({
      ...{ reconciliationId: id, run, cause, requestedBy, startedAt },
      statementId: statement?.id ?? null,
      finishedAt: null,
      providerAmount: ZERO,
      platformAmount: ZERO,
      matchedCount: 0,
      exceptionCount: 0,
      correctedCount: 0,
    })
  },

  async finishRun({ reconciliationId, run, ...result }: Result): Promise<void> {
    await db
      .update(reconciliationRuns)
      .set(result)
      .where(and(eq(reconciliationRuns.reconciliationId, reconciliationId), eq(reconciliationRuns.run, run)))
  },

  /** Writes down a file that was handed in; the same one again counts from now on. Answers it. */
  async putStatement(row: Statement): Promise<Statement> {
    const [kept] = await db
      .insert(providerStatements)
      .values(row)
      .onConflictDoUpdate({
        target: [providerStatements.provider, providerStatements.date, providerStatements.sha256],
        set: { updatedAt: row.updatedAt },
      })
      .returning()
    return kept ?? row
  },
})
