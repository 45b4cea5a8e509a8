import type { FastifyBaseLogger } from 'fastify'
import { type Clock, type MovableClock, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { createEventSignal } from '../events/event-signal.ts'
import { createPublicAddress } from '../http/public-address.ts'
import { createOnce } from '../idempotency/once.ts'
import { createIds } from '../ids.ts'
import { createRepositories, type Reads, transactOn } from '../repositories.ts'
import { createDocumentStorage } from '../storage/document-storage.ts'
import { createJobQueueQueries } from '../workers/job-queue.queries.ts'
import { createJobQueue } from '../workers/job-queue.ts'

/** What a process brings along. */
export type Foundations = {
  config: Config
  database: Database
  /** A copy of the database that may be a little behind. Absent: the database itself. */
  replica?: Database | undefined
  clock: MovableClock
  logger: FastifyBaseLogger
}

/** What every service stands on. */
export const composeGround = ({ config, database, replica, clock, logger }: Foundations) => {
  const newId = createIds(clock)
  const read: Reads = createRepositories(database, newId)
  const readReplica: Reads = replica === undefined ? read : createRepositories(replica, newId)
  const eventSignal = createEventSignal()
  const transact = transactOn(database, newId, eventSignal.notify)
  const once = createOnce(transact, clock)
  // Tokens, leases and locks live in real time, also when the sandbox has moved the platform's.
  const wallClock: Clock = systemClock
  const storage = createDocumentStorage(config.documentStorage)
  const publicAddress = createPublicAddress(config.publicUrl, `http://${config.host}:${config.port}`)
  const linkUrl = (hash: string): string => `${publicAddress.url()}/pay/${hash}`
  const jobQueries = createJobQueueQueries(database)
  const jobQueue = createJobQueue({ queries: jobQueries, logger })
  return {
    config,
    database,
    logger,
    clock,
    wallClock,
    newId,
    read,
    /** Reads that may lag behind: reports and statements, never what decides about money. */
    readReplica,
    transact,
    once,
    eventSignal,
    storage,
    jobQueries,
    jobQueue,
    publicAddress,
    linkUrl,
  }
}

export type Ground = ReturnType<typeof composeGround>
