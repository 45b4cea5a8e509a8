import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient } from 'pg'
import type { Database, Reader, Writer } from './client.ts'
import { withPlanName } from './engine/plan-names.ts'
import { hasOwnProcess, openingOf } from './engine/session-limits.ts'
import { isOutdatedPlan, isReadOnly, sqlState } from './errors.ts'

const READ_AND_WRITE = 'begin'
const ONE_MOMENT = 'begin isolation level repeatable read read only'

// After a statement that failed, Postgres answers `commit` with a rollback and no error.
const commit = async (client: PoolClient): Promise<void> => {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error('The transaction had failed before, and its failure was passed over')
}

/** What statements behind one that failed are told: that the transaction is over, or that a name was never taken. */
const CONSEQUENT_STATES: ReadonlySet<string | undefined> = new Set(['25P02', '26000'])

// Statements of one batch are sent together, and one that fails ends the transaction for all: what another of them still
// sends afterwards would run on a connection that is somebody else's by then.
const untilItsEnd = (client: PoolClient, namesPlans: boolean) => {
  let hasEnded = false
  let failure: unknown
  const query = (...given: unknown[]): unknown => {
    if (hasEnded) return Promise.reject(new Error('The transaction of this statement has ended'))
    const answer: unknown = Reflect.apply(client.query, client, namesPlans ? withPlanName(given) : given)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        failure ??= error
      })
    return answer
  }
  const own: PoolClient = Object.create(client, { query: { value: query } })
  return {
    client: own,
    end: () => {
      hasEnded = true
    },
    /** Those behind a statement that failed say only that it did, and may be heard before it: what to do follows from why. */
    causeOf: (error: unknown): unknown => (CONSEQUENT_STATES.has(sqlState(error)) ? (failure ?? error) : error),
  }
}

const run = async <Result>(
  { $client: pool }: Database,
  opening: typeof READ_AND_WRITE | typeof ONE_MOMENT,
  work: (tx: Writer) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(openingOf(client, opening))
    // Statements that write are few and come again and again. Reports differ with their filters, and so do their plans.
    const own = untilItsEnd(client, opening === READ_AND_WRITE && hasOwnProcess(client))
    const result = await work(drizzle<Record<string, never>, PoolClient>(own.client))
      .finally(own.end)
      .catch((error: unknown) => {
        throw own.causeOf(error)
      })
    await commit(client)
    return result
  } catch (error) {
    // The server behind a connection that cannot write will not be able to: the next one may lead to another.
    if (isOutdatedPlan(error) || isReadOnly(error)) broken = error as Error
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Runs work in one transaction on a connection of its own: a return commits, a throw rolls back and is thrown on. The
 * connection goes back to the pool whatever breaks, `begin` and `rollback` included: Drizzle's own `transaction` loses
 * it when `begin` fails, so that each restart of the database would leave the pool smaller. What work leaves behind
 * unawaited reaches no connection any more: it fails.
 */
export const inTransaction = <Result>(database: Database, work: (tx: Writer) => Promise<Result>): Promise<Result> =>
  run(database, READ_AND_WRITE, work)

/** The same for work that reads one moment of the database, however long it takes. */
export const inOneMoment = <Result>(database: Database, work: (tx: Reader) => Promise<Result>): Promise<Result> =>
  run(database, ONE_MOMENT, work)
