import type { PoolClient } from 'pg'
import { type Database, type Executor, executorOn } from './client.ts'
import { sqlState } from './errors.ts'

const READ_AND_WRITE = 'begin'

/** The statement that opens a transaction which reads one moment of the database, however long it takes. */
export const ONE_MOMENT = 'begin isolation level repeatable read read only'

// After a statement that failed, Postgres answers `commit` with a rollback and no error.
const commit = async (client: PoolClient): Promise<void> => {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error('The transaction had failed before, and its failure was passed over')
}

const ABORTED_STATE = '25P02'

// Statements of one batch are sent together, and one that fails ends the transaction for all: what another of them still
// sends afterwards would run on a connection that is somebody else's by then.
const untilItsEnd = (client: PoolClient) => {
  let hasEnded = false
  let failure: unknown
  const query = (...given: unknown[]): unknown => {
    if (hasEnded) return Promise.reject(new Error('The transaction of this statement has ended'))
    const answer: unknown = Reflect.apply(client.query, client, given)
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
    causeOf: (error: unknown): unknown => (sqlState(error) === ABORTED_STATE ? (failure ?? error) : error),
  }
}

/**
 * Runs work in one transaction on a connection of its own: a return commits, a throw rolls back and is thrown on. The
 * connection goes back to the pool whatever breaks, `begin` and `rollback` included: Drizzle's own `transaction` loses
 * it when `begin` fails, so that each restart of the database would leave the pool smaller. What work leaves behind
 * unawaited reaches no connection any more: it fails.
 */
export const inTransaction = async <Result>(
  { $client: pool }: Database,
  work: (tx: Executor) => Promise<Result>,
  opening: typeof READ_AND_WRITE | typeof ONE_MOMENT = READ_AND_WRITE,
): Promise<Result> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(opening)
    const own = untilItsEnd(client)
    const result = await work(executorOn(own.client))
      .finally(own.end)
      .catch((error: unknown) => {
        throw own.causeOf(error)
      })
    await commit(client)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
