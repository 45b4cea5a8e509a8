import type { PoolClient } from 'pg'
import { type Database, type Executor, executorOn } from './client.ts'

const READ_AND_WRITE = 'begin'

/** The statement that opens a transaction which reads one moment of the database, however long it takes. */
export const ONE_MOMENT = 'begin isolation level repeatable read read only'

// After a statement that failed, Postgres answers `commit` with a rollback and no error.
const commit = async (client: PoolClient): Promise<void> => {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error('The transaction had failed before, and its failure was passed over')
}

// Statements of one batch are sent together, and one that fails ends the transaction for all: what another of them still
// sends afterwards would run on a connection that is somebody else's by then.
const untilItsEnd = (client: PoolClient) => {
  let hasEnded = false
  const query = (...given: unknown[]): unknown =>
    hasEnded
      ? Promise.reject(new Error('The transaction of this statement has ended'))
      : Reflect.apply(client.query, client, given)
  const own: PoolClient = Object.create(client, { query: { value: query } })
  return {
    client: own,
    end: () => {
      hasEnded = true
    },
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
    const result = await work(executorOn(own.client)).finally(own.end)
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
