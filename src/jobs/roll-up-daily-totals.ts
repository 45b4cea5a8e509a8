import type { Transact } from '../repositories.ts'

type Dependencies = { transact: Transact }

const BATCH_SIZE = 20_000

/** Adds up what has changed since the last run, so that reports and totals have little left to add themselves. */
export const createRollUpDailyTotals = ({ transact }: Dependencies) => ({
  /** One batch. Answers how many changes it took in. */
  runOnce: (): Promise<number> => transact((tx) => tx.dailyTotals.rollUp(BATCH_SIZE)),
})
