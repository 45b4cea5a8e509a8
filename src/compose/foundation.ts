import type { FastifyBaseLogger } from 'fastify'
import { createDeciders } from '../areas/approvals/approvals.people.ts'
import { createProposals } from '../areas/approvals/approvals.propose.ts'
import { createLogoUrl } from '../areas/branding/branding.view.ts'
import { createKnownCosts } from '../areas/provider-costs/known-costs.ts'
import { type Clock, type MovableClock, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { newSecret } from '../crypto/opaque-tokens.ts'
import { createSecretBox } from '../crypto/secret-box.ts'
import { autocommit, type Database } from '../db/client.ts'
import { createHeldBooks } from '../db/held-books.ts'
import { createOnce } from '../idempotency/once.ts'
import { createIds } from '../ids.ts'
import { createJobsRepository } from '../jobs/jobs.repository.ts'
import { createRunSoon } from '../jobs/run-soon.ts'
import { createWorkerHeartbeatsRepository } from '../jobs/worker-heartbeats.repository.ts'
import { createPublicAddress } from '../public-address.ts'
import { createReads } from '../repositories.ts'
import { createSignal } from '../signal.ts'
import { createDocumentStorage } from '../storage/document-storage.ts'
import { transactOn } from './transact.ts'

/** What a process brings along. */
export type Runtime = {
  config: Config
  database: Database
  /** The same database for work that takes long. Absent: `database`, with its limits. */
  patient?: Database | undefined
  /** A copy of the database that may be a little behind. Absent: the database itself. */
  replica?: Database | undefined
  clock: MovableClock
  logger: FastifyBaseLogger
}

/** What every service stands on. */
export const composeFoundation = ({
  config,
  database,
  patient = database,
  replica = patient,
  clock,
  logger,
}: Runtime) => {
  const newId = createIds(clock)
  const read = createReads(database)
  const readReplica = createReads(replica)
  const eventSignal = createSignal()
  const jobsRepository = createJobsRepository(autocommit(database))
  const jobSignal = createSignal()
  const runSoon = createRunSoon({ jobsRepository, jobSignal, logger })
  const deciders = createDeciders()
  const olderKeys = config.olderEncryptionKeys.map((key) => Buffer.from(key))
  const secretBox = createSecretBox(Buffer.from(config.encryptionKey), olderKeys)
  const surroundings = {
    sealSecret: secretBox.seal,
    onEventsCommitted: eventSignal.notify,
    onMailsCommitted: () => runSoon('sendMails'),
  }
  const transact = transactOn(database, newId, surroundings)
  const once = createOnce(transact, clock)
  // Tokens, leases and locks live in real time, also when the sandbox has moved the platform's.
  const wallClock: Clock = systemClock
  const storage = createDocumentStorage(config.documentStorage)
  const publicAddress = createPublicAddress(
    config.publicUrl,
    `${config.tls ? 'https' : 'http'}://${config.host}:${config.port}`,
  )
  const newBoletoUrl = (paymentId: string): string => `${publicAddress.url()}/pay/boletos/${paymentId}/${newSecret()}`
  const linkUrl = (hash: string): string => `${publicAddress.url()}/pay/${hash}`
  const logoUrl = createLogoUrl(publicAddress)
  return {
    config,
    database,
    logger,
    clock,
    wallClock,
    newId,
    secretBox,
    read,
    /** Reads that may lag behind: reports and statements, never what decides about money. */
    readReplica,
    transact,
    /** In place of the three above, for jobs that read or clean up much. */
    patient: {
      database: patient,
      read: createReads(patient),
      transact: transactOn(patient, newId, surroundings),
    },
    once,
    heldBooks: createHeldBooks(),
    eventSignal,
    storage,
    jobsRepository,
    jobSignal,
    runSoon,
    workerHeartbeats: createWorkerHeartbeatsRepository(autocommit(database)),
    publicAddress,
    linkUrl,
    logoUrl,
    newBoletoUrl,
    knownCosts: createKnownCosts({ wallClock }),
    deciders,
    propose: createProposals({ newId, deciders }),
  }
}

export type Foundation = ReturnType<typeof composeFoundation>
