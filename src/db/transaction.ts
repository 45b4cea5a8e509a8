import type { PoolClient } from 'pg'
import { type Database, type Executor, executorOn, hasOwnProcess } from './client.ts'
import { sqlState } from './errors.ts'
import { joinInserts } from './joined-inserts.ts'
import type { Statement } from './statement.ts'
import { statementNameOf } from './statement-names.ts'

const READ_AND_WRITE = 'begin'

/** The statement that opens a transaction which reads one moment of the database, however long it takes. */
export const ONE_MOMENT = 'begin isolation level repeatable read read only'

// After a statement that failed, Postgres answers `commit` with a rollback and no error.
const commit = async (client: PoolClient): Promise<void> => {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error('The transaction had failed before, and its failure was passed over')
}

/** What statements behind one that failed are told: that the transaction is over, or that a name was never taken. */
const CONSEQUENT_STATES: ReadonlySet<string | undefined> = new Set(['25P02', '26000'])
/** A kept statement whose table has other columns by now. The connection would refuse it ever after. */
const OUTDATED_PLAN_STATE = '0A000'

const named = ([config, ...others]: unknown[]): unknown[] => {
  if (typeof config !== 'object' || config === null || !('text' in config)) return [config, ...others]
  return [{ ...config, name: statementNameOf(String(config.text)) }, ...others]
}

const isInsert = (config: unknown): config is Statement =>
  typeof config === 'object' && config !== null && 'insertsInto' in config && config.insertsInto !== undefined

// Statements of one batch are sent together, and one that fails ends the transaction for all: what another of them still
// sends afterwards would run on a connection that is somebody else's by then.
const untilItsEnd = (client: PoolClient, keepsPlans: boolean) => {
  let hasEnded = false
  let failure: unknown
  const run = (...given: unknown[]): unknown => {
    if (hasEnded) return Promise.reject(new Error('The transaction of this statement has ended'))
    const answer: unknown = Reflect.apply(client.query, client, keepsPlans ? named(given) : given)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        failure ??= error
      })
    return answer
  }
  const inserts = joinInserts(async (joined) => run(joined))
  const query = (...given: unknown[]): unknown => {
    const [config] = given
    if (isInsert(config)) return inserts.add(config)
    inserts.sendWaiting()
    return run(...given)
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

/**
 * Runs work in one transaction on a connection of its own: a return commits, a throw rolls back and is thrown on. The
 * connection goes back to the pool whatever breaks, `begin` and `rollback` included: Drizzle's own `transaction` loses
 * it when `begin` fails, so that each restart of the database would leave the pool smaller. What work leaves behind
 * unawaited reaches no connection any more: it fails. Inserts that are sent in one turn are one statement (`joinInserts`).
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
    // Statements that write are few and come again and again. Reports differ with their filters, and so do their plans.
    const own = untilItsEnd(client, opening === READ_AND_WRITE && hasOwnProcess(client))
    const result = await work(executorOn(own.client))
      .finally(own.end)
      .catch((error: unknown) => {
        throw own.causeOf(error)
      })
    await commit(client)
    return result
  } catch (error) {
    if (sqlState(error) === OUTDATED_PLAN_STATE) broken = error as Error
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
