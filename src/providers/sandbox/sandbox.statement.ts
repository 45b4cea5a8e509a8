import type { StatementCapability, StatementLine } from '../provider.port.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'
import type { BookedRecord } from './sandbox.repository.ts'

const BATCH_SIZE = 1_000

const lineOf = ({ kind, reference, endToEndId, amount, feeAmount, updatedAt }: BookedRecord): StatementLine => ({
  ...{ kind, reference, endToEndId, amount, feeAmount, happenedAt: updatedAt },
})

/** What the simulated acquirer has booked, from its own records: whatever the platform heard of it. */
export const createSandboxStatement = ({ read }: Pick<SandboxDependencies, 'read'>): StatementCapability => ({
  async *list(period) {
    let records = await read.sandbox.listBooked(period, undefined, BATCH_SIZE)
    while (records.length > 0) {
      yield* records.map(lineOf)
      records = await read.sandbox.listBooked(period, records.at(-1), BATCH_SIZE)
    }
  },
})
