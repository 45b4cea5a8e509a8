import { Socket } from 'node:net'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { type ClientBase, Pool, type PoolClient } from 'pg'

/** A connection or a transaction: what repositories speak SQL through. A transaction begins with `inTransaction`. */
export type Executor = Omit<PgDatabase<NodePgQueryResultHKT>, 'transaction'> & { $client: Pick<PoolClient, 'query'> }
export type Database = Omit<Executor, '$client'> & { $client: Pool }

type PoolOptions = { url: string; max: number; onError: (error: Error) => void }

/** Sends what is written in one turn of the event loop in one piece: each piece is a system call, and wakes the server. */
class BundlingSocket extends Socket {
  #isHeld = false

  override cork(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      super.uncork()
    })
  }

  /** Whoever corks has no say in when the turn is over. */
  override uncork(): void {}
}

/** A connection is replaced after this time: what it keeps of statements that nobody sends any more goes with it. */
const LIFETIME_SECONDS = 1_800

const ownProcess = new WeakSet<ClientBase>()

// A pooler gives out numbers of its own, and each transaction to another process of the server.
const noteOwnProcess = async (client: ClientBase & { processID?: number | null }): Promise<void> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid === client.processID) ownProcess.add(client)
}

/** Whether one process of the server serves a connection as long as it lives, so that it can keep statements there. */
export const hasOwnProcess = (client: ClientBase): boolean => ownProcess.has(client)

/** A pool of connections in UTC. A connection that breaks is replaced, never fatal; an idle one is reported. */
export const createPool = ({ url, max, onError }: PoolOptions): Pool => {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    onConnect: noteOwnProcess,
    keepAlive: true,
    // Statements that are given together travel together; the server still runs them one after the other.
    pipeline: true,
    stream: () => new BundlingSocket(),
    application_name: 'payment-platform',
  })
  pool.on('error', onError)
  // A connection that breaks within a transaction fails its statement, and says so once more as an event: without a
  // listener that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export const createDatabase = (pool: Pool): Database => drizzle(pool)

/** SQL through one connection of a pool. */
export const executorOn = (client: PoolClient): Executor => drizzle<Record<string, never>, PoolClient>(client)
