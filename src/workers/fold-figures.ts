import type { Transact } from '../repositories.ts'

type Dependencies = { transact: Transact }

const BATCH_MAX = 20_000

/** Adds up what has changed since the last run, so that reports and totals have little left to add themselves. */
export const createFoldFigures = ({ transact }: Dependencies) => ({
  /** One batch. Answers how many changes it took in. */
  runOnce: (): Promise<number> => transact((tx) => tx.figures.foldChanges(BATCH_MAX)),
})
