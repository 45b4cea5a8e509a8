import type { Reads, Transact } from '../repositories.ts'
import { type PartitionedTable, partitionAt } from './partitions.ts'

type Dependencies = { read: Pick<Reads, 'partitions'>; transact: Transact }

const BATCH_MAX = 1_000

/** The parts that are made beforehand: the current one and two more, so that a missed run costs nothing. */
const AHEAD = [0, 1, 2] as const

/**
 * Keeps a table in its parts: makes those of the time to come, and drops those whose last row is older than `before` and
 * of which nothing waits. Answers how many parts and rows went.
 */
export const keepPartitions = async (
  { read, transact }: Dependencies,
  table: PartitionedTable,
  { now, before }: { now: Date; before: Date },
): Promise<number> => {
  for (const later of AHEAD) {
    await transact((tx) => tx.partitions.insertPartition(table, partitionAt(table, now, later)))
  }
  const ended = await read.partitions.listEndedBefore(table, before)
  let gone = await transact((tx) => tx.partitions.deleteUnpartitioned(table, before, BATCH_MAX))
  for (const partition of ended) gone += (await transact((tx) => tx.partitions.dropPartition(partition))) ? 1 : 0
  return gone
}
