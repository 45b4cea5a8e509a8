import type { Database } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { createFiguresRepository, type FigureFinding } from './figures.repository.ts'

const FINDINGS_MAX = 100
const FOLD_MAX = 100_000

/** Compares every sum with counting the rows, in one moment each. Empty: all are right. Writers go on meanwhile. */
export const verifyFigures = async (database: Database): Promise<FigureFinding[]> => {
  const figures = createFiguresRepository(database)
  return [...(await figures.listDifferences(FINDINGS_MAX)), ...(await figures.listBrokenLevels(FINDINGS_MAX))]
}

/** Makes every sum right again; from nothing where there are none. Writers go on meanwhile. Answers how many were wrong. */
export const repairFigures = async (database: Database): Promise<number> => {
  const inFigures = <Result>(work: (figures: ReturnType<typeof createFiguresRepository>) => Promise<Result>) =>
    inTransaction(database, (tx) => work(createFiguresRepository(tx)))
  const wrong = await inFigures((figures) => figures.insertDifferences())
  while ((await inFigures((figures) => figures.foldChanges(FOLD_MAX))) > 0);
  await inFigures((figures) => figures.replaceLevels())
  return wrong
}
