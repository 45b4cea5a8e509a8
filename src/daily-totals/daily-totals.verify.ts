import type { Database } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { createDailyTotalsQueries, createDailyTotalsRepository, type TotalFinding } from './daily-totals.repository.ts'

const FINDINGS_MAX = 100
const ROLL_UP_MAX = 100_000

/** Compares every total with counting the rows, in one moment each. Empty: all are right. Writers go on meanwhile. */
export const verifyDailyTotals = async (database: Database): Promise<TotalFinding[]> => {
  const totals = createDailyTotalsQueries(database)
  return [...(await totals.listDifferences(FINDINGS_MAX)), ...(await totals.listBrokenSums(FINDINGS_MAX))]
}

/** Makes every total right again; from nothing where there are none. Writers go on meanwhile. Answers how many were wrong. */
export const repairDailyTotals = async (database: Database): Promise<number> => {
  const inTotals = <Result>(work: (totals: ReturnType<typeof createDailyTotalsRepository>) => Promise<Result>) =>
    inTransaction(database, (tx) => work(createDailyTotalsRepository(tx)))
  const wrong = await inTotals((totals) => totals.insertDifferences())
  while ((await inTotals((totals) => totals.rollUp(ROLL_UP_MAX))) > 0);
  await inTotals((totals) => totals.replaceSums())
  return wrong
}
