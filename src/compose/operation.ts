import type { Pool } from 'pg'
import { type ComponentState, createStatusService } from '../areas/status/status.service.ts'
import { autocommit } from '../db/client.ts'
import { countWaitingCommits, createReadiness, readClockSkewMs } from '../db/readiness.ts'
import { jobGauges } from '../jobs/job-gauges.ts'
import type { ProviderHealth } from '../providers/provider-health.ts'
import { createRateLimitsRepository } from '../rate-limits/rate-limits.repository.ts'
import { createRateLimits } from '../rate-limits/rate-limits.ts'
import { createClockAlarm } from '../telemetry/clock-alarm.ts'
import { poolGauge } from '../telemetry/metrics.ts'
import { VERSION } from '../version.ts'
import type { Foundation } from './foundation.ts'

type Dependencies = Foundation & {
  pool: Pool
  providerHealth: ProviderHealth
  findMailState: () => Promise<ComponentState>
  findOpenSeconds: () => Promise<number>
}

/** What operators see, and what keeps callers within bounds. */
export const composeOperation = (dependencies: Dependencies) => {
  const { config, database, pool, patient, wallClock, logger, jobsRepository, workerHeartbeats } = dependencies
  const readiness = createReadiness(pool)
  const { findOldestWaitMs } = jobsRepository
  const { findWorkers } = workerHeartbeats
  const alarm = createClockAlarm(logger)
  const findClockSkewMs = async (): Promise<number> => {
    const clockSkewMs = await readClockSkewMs(pool, wallClock.now)
    alarm(clockSkewMs)
    return clockSkewMs
  }
  // Not through transact: a count is one statement of its own, on the way of every guarded request.
  const repository = createRateLimitsRepository(autocommit(database))
  return {
    status: createStatusService({
      ...dependencies,
      ...{ readiness, findWorkers, findOldestWaitMs, findClockSkewMs, version: VERSION },
      environment: config.providers.sandbox.isRouted ? 'sandbox' : 'live',
    }),
    rateLimits: createRateLimits({ repository, windowMs: config.rateLimits.windowMs, clock: wallClock }),
    gauges: [
      poolGauge(pool),
      {
        name: 'process_clock_skew_seconds',
        help: 'How far the clock of this process is ahead of the database, or behind where negative.',
        read: async () => (await findClockSkewMs()) / 1_000,
      },
      {
        name: 'database_commits_waiting_for_standby',
        help: 'Commits of all processes that have waited for a synchronous standby for more than two seconds.',
        // Not through the pool that they are stuck in.
        read: () => countWaitingCommits(patient.database.$client),
      },
      ...jobGauges(dependencies),
    ],
  }
}
