import type { Clock } from '../../clock.ts'
import type { Readiness } from '../../db/readiness.ts'
import { isClockWrong } from '../../domain/clock-skew.ts'
import type { ProviderHealth } from '../../providers/provider-health.ts'
import type { Reads } from '../../repositories.ts'

type Dependencies = {
  read: Pick<Reads, 'ledgerProofs' | 'receivedPix'>
  readiness: Readiness
  providerHealth: ProviderHealth
  /** The platform's time, which the sandbox may move. */
  clock: Clock
  /** Real time, in which proofs age. */
  wallClock: Clock
  /** Whether any worker lives, and how far the clock is off that is furthest off, in milliseconds. */
  findWorkers: () => Promise<{ isAnyAlive: boolean; clockSkewMs: number }>
  /** How far the clock of this process is ahead of the database's, in milliseconds. */
  findClockSkewMs: () => Promise<number>
  /** For how long the background job has waited that has waited longest, in milliseconds. */
  findOldestWaitMs: () => Promise<number>
  environment: 'live' | 'sandbox'
  /** For how many seconds the oldest difference with a provider is open; 0 where none is. */
  findOpenSeconds: () => Promise<number>
  /** Whether mails are sent. */
  findMailState: () => Promise<ComponentState>
  version: string
}

/** How long a job may wait before the workers count as overloaded: every job runs at least this often. */
const JOB_WAITS_MS = 150_000
/** How long somebody may look at a difference with a provider. */
const OPEN_SECONDS = 48 * 3_600
/** How old the last proof of the ledger may be: it is made every night. */
const PROOF_AGE_MS = 48 * 3_600_000
/** How long money that is no payment may wait for a decision. */
const DECISION_MS = 24 * 3_600_000

export type ComponentState = 'ok' | 'degraded' | 'down'

export const createStatusService = (dependencies: Dependencies) => {
  const { read, readiness, providerHealth, clock, wallClock, environment, version } = dependencies
  const { findWorkers, findOldestWaitMs, findOpenSeconds, findMailState, findClockSkewMs } = dependencies

  const workerState = async (): Promise<ComponentState> => {
    const { isAnyAlive, clockSkewMs } = await findWorkers()
    if (!isAnyAlive) return 'down'
    if (isClockWrong(clockSkewMs)) return 'degraded'
    return (await findOldestWaitMs()) > JOB_WAITS_MS ? 'degraded' : 'ok'
  }

  // Before its first proof, which begins with the first worker, nothing is known against a ledger.
  const ledgerState = async (): Promise<ComponentState> => {
    const proof = await read.ledgerProofs.findLatest()
    if (proof === undefined) return 'ok'
    const isOld = wallClock.now().getTime() - proof.finishedAt.getTime() > PROOF_AGE_MS
    return isOld || proof.findingsCount > 0 ? 'degraded' : 'ok'
  }

  const reconciliationState = async (): Promise<ComponentState> =>
    (await findOpenSeconds()) > OPEN_SECONDS ? 'degraded' : 'ok'

  const databaseState = async (): Promise<ComponentState> => {
    if (await readiness.isWritable()) return 'ok'
    return (await readiness.isReachable()) ? 'degraded' : 'down'
  }

  // No answer says nothing against a clock.
  const clockState = async (): Promise<ComponentState> =>
    isClockWrong(await findClockSkewMs().catch(() => 0)) ? 'degraded' : 'ok'

  const receivedPixWarnings = async (database: ComponentState): Promise<string[]> => {
    if (database === 'down') return []
    const { since } = await read.receivedPix.findOpen()
    const isLate = since !== null && clock.now().getTime() - since.getTime() > DECISION_MS
    return isLate ? ['Pix that are no payment have waited for a decision for more than a day.'] : []
  }

  return {
    /** The state of every component. Never throws: a database that does not answer is part of the answer. */
    async getStatus() {
      const database = await databaseState()
      const unlessDown = async (findState: () => Promise<ComponentState>): Promise<ComponentState> =>
        database === 'down' ? 'down' : await findState()
      const components = {
        database,
        worker: await unlessDown(workerState),
        provider: providerHealth.state(),
        ledger: await unlessDown(ledgerState),
        reconciliation: await unlessDown(reconciliationState),
        mail: await unlessDown(findMailState),
        clock: await unlessDown(clockState),
      }
      const waiting = await receivedPixWarnings(database)
      const warnings = [...providerHealth.findWarnings(), ...waiting]
      const status = Object.values(components).every((state) => state === 'ok') ? 'ok' : 'degraded'
      return { status, environment, version, time: clock.now().toISOString(), components, warnings } as const
    },

    /** Whether this process can serve: the database takes writes and has this version's schema. */
    isReady: async (): Promise<boolean> => (await readiness.isMigrated()) && (await readiness.isWritable()),
  }
}

export type StatusService = ReturnType<typeof createStatusService>
