import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolClient } from 'pg'
import { hostUrls } from '../database-url.ts'
import { BundlingSocket } from './engine/bundling-socket.ts'
import { createFollowingPool } from './engine/following-pool.ts'
import { prepareSession } from './engine/session-limits.ts'
import { type Limits, REQUEST_LIMITS } from './limits.ts'
import { watchForSilence } from './silence.ts'

type Drizzle = PgDatabase<NodePgQueryResultHKT>

/**
 * A pool, a connection or a transaction as far as it reads. `execute` and `$client.query` take any text: one that locks or
 * writes is sent through a Writer, which test/db/readers.test.ts sees to.
 */
export type Reader = Pick<Drizzle, 'select' | 'selectDistinctOn' | '$count' | 'execute'> & {
  $client: Pick<PoolClient, 'query'>
}

/** An open transaction: what locks and writes. `inTransaction` hands it out, and `autocommit` where none is needed. */
export type Writer = Reader & Pick<Drizzle, 'insert' | 'update' | 'delete'>

export type Database = Omit<Reader, '$client'> & { $client: Pool }

type PoolOptions = {
  /** One host, or several: then connections lead to the one that takes writes. */
  url: string
  max: number
  onError: (error: Error) => void
  /** How long its statements may take. Absent: those of a request. */
  limits?: Limits
}

/** A connection is replaced after this time: what it keeps of statements that nobody sends any more goes with it. */
const LIFETIME_SECONDS = 1_800

/** Whoever waits for a connection is told within five seconds that there is none. */
const CONNECT_WITHIN_MS = 4_000

/**
 * A pool of connections in UTC. A connection that breaks or does not answer within its limits is replaced, never fatal; an
 * idle one is reported.
 */
export const createPool = ({ url, max, onError, limits = REQUEST_LIMITS }: PoolOptions): Pool => {
  const sockets = new Set<BundlingSocket>()
  const openSocket = (): BundlingSocket => {
    const socket = new BundlingSocket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const options = {
    max,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    // With statements sent one behind the other, the driver ends a connection of which one is not answered.
    query_timeout: limits.answerMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    onConnect: prepareSession(limits),
    keepAlive: true,
    // Statements that are given together travel together; the server still runs them one after the other.
    pipeline: true,
    stream: openSocket,
    application_name: 'payment-platform',
  }
  const { pool, currentUrl } =
    hostUrls(url).length > 1
      ? createFollowingPool(url, options)
      : { pool: new Pool({ ...options, connectionString: url }), currentUrl: () => url }
  pool.on('error', onError)
  // A connection that breaks within a transaction fails its statement, and says so once more as an event: without a
  // listener that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (limits.answerMs > REQUEST_LIMITS.answerMs) {
    watchForSilence(pool, currentUrl, () => {
      for (const socket of sockets) socket.destroy()
    })
  }
  return pool
}

export const createDatabase = (pool: Pool): Database => drizzle(pool)

/**
 * Writes without a transaction: each statement is committed by itself, and a lock ends with the statement that took it. For
 * the few repositories of which every function is one statement that nothing else has to go with: jobs, workers' signs of
 * life, the counters of rate limits. Everything else writes within `inTransaction`.
 */
export const autocommit = (database: Database): Writer => database as Database & Writer
