import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import type { Reconciliation } from './reconciliation.repository.ts'
import { type ComparisonDependencies, createComparison, newReconciliation } from './reconciliation.run.ts'

/** Providers have yesterday together by then. */
const NIGHTLY_AT_MS = 4 * 3_600_000
const UNSETTLED_MAX = 30
/** What was resolved and comes by itself after all does so within these days. */
const HEARD_LATE_DAYS = 7
const RUNNING_MAX = 50

/** The job that compares what is due: each night, and what somebody asked for. */
export const createReconcileProviders = (dependencies: ComparisonDependencies) => {
  const { read, transact, providers, clock, newId } = dependencies
  const reconcile = createComparison(dependencies)

  const begin = async (provider: string, date: string): Promise<void> => {
    const now = clock.now()
    const why = { cause: 'nightly' as const, requestedBy: null }
    await transact((tx) => tx.reconciliation.begin(newReconciliation(newId(), provider, date, now), why))
  }

  const hasStatement = async ({ provider, date }: Pick<Reconciliation, 'provider' | 'date'>): Promise<boolean> =>
    providers.find(provider)?.statements !== undefined ||
    (await read.reconciliation.findStatement(provider, date)) !== undefined

  const beginYesterday = async (yesterday: string): Promise<void> => {
    for (const { name } of providers.all.filter(({ statements }) => statements !== undefined)) {
      if ((await read.reconciliation.findDay(name, yesterday)) === undefined) await begin(name, yesterday)
    }
  }

  // Providers complete their lists late: what agreed last night is compared once more.
  const beginOnceMore = async (date: string, tonight: Date): Promise<void> => {
    for (const { name } of providers.all.filter(({ statements }) => statements !== undefined)) {
      const row = await read.reconciliation.findDay(name, date)
      if (row?.status === 'balanced' && row.startedAt < tonight) await begin(name, date)
    }
  }

  /** What tonight has to compare: yesterday, the day before it once more, and days with something open or just resolved. */
  const beginTonight = async (): Promise<void> => {
    const now = clock.now()
    const today = saoPauloDate(now)
    const tonight = new Date(startOfSaoPauloDay(today).getTime() + NIGHTLY_AT_MS)
    if (now < tonight) return
    await beginYesterday(addDays(today, -1))
    await beginOnceMore(addDays(today, -2), tonight)
    const unsettled = await read.reconciliation.listUnsettled(tonight, addDays(today, -HEARD_LATE_DAYS), UNSETTLED_MAX)
    for (const row of unsettled) if (await hasStatement(row)) await begin(row.provider, row.date)
  }

  return {
    reconcileProviders: {
      /** Compares one day that is due. Answers 0 where none is. One that cannot be compared holds up no other. */
      async runOnce(): Promise<number> {
        await beginTonight()
        const failures: unknown[] = []
        for (const row of await read.reconciliation.listRunning(RUNNING_MAX)) {
          try {
            await reconcile(row)
            return 1
          } catch (error) {
            failures.push(error)
          }
        }
        if (failures.length === 1) throw failures[0]
        if (failures.length > 1) throw new AggregateError(failures, 'days could not be compared with their providers')
        return 0
      },
    },
  }
}
