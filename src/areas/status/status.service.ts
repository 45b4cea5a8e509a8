import type { Clock } from '../../clock.ts'
import type { Readiness } from '../../db/readiness.ts'
import { isClockWrong } from '../../domain/clock-skew.ts'
import type { ProviderHealth } from '../../providers/provider-health.ts'
import type { Reads } from '../../repositories.ts'

type Dependencies = {
  read: Pick<Reads, 'workerHeartbeats' | 'ledgerProofs'>
  readiness: Readiness
  providerHealth: ProviderHealth
  /** The platform's time, which the sandbox may move. */
  clock: Clock
  /** Real time, in which proofs age. */
  wallClock: Clock
  /** For how long the background job has waited that has waited longest, in milliseconds. */
  findOldestWaitMs: () => Promise<number>
  version: string
}

/** How long a job may wait before the workers count as overloaded: every job runs at least this often. */
const JOB_WAITS_MS = 150_000
/** How old the last proof of the ledger may be: it is made every night. */
const PROOF_AGE_MS = 48 * 3_600_000

export type ComponentState = 'ok' | 'degraded' | 'down'

export const createStatusService = (dependencies: Dependencies) => {
  const { read, readiness, providerHealth, clock, wallClock, findOldestWaitMs, version } = dependencies

  const workerState = async (): Promise<ComponentState> => {
    const { isAnyAlive, clockSkewMs } = await read.workerHeartbeats.findWorkers()
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

  return {
    /** The state of every component. Never throws: a database that does not answer is part of the answer. */
    async getStatus() {
      const database: ComponentState = (await readiness.isReachable()) ? 'ok' : 'down'
      const worker = database === 'ok' ? await workerState() : 'down'
      const ledger = database === 'ok' ? await ledgerState() : 'down'
      const components = { database, worker, provider: providerHealth.state(), ledger }
      const status = Object.values(components).every((state) => state === 'ok') ? 'ok' : 'degraded'
      return { status, version, time: clock.now().toISOString(), components } as const
    },

    /** Whether this process can serve: the database answers and has this version's schema. */
    isReady: (): Promise<boolean> => readiness.isMigrated(),
  }
}

export type StatusService = ReturnType<typeof createStatusService>
