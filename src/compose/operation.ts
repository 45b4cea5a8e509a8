import type { Pool } from 'pg'
import { type ComponentState, createStatusService } from '../areas/status/status.service.ts'
import { autocommit } from '../db/client.ts'
import { createReadiness } from '../db/readiness.ts'
import { jobGauges } from '../jobs/job-gauges.ts'
import type { ProviderHealth } from '../providers/provider-health.ts'
import { createRateLimitsRepository } from '../rate-limits/rate-limits.repository.ts'
import { createRateLimits } from '../rate-limits/rate-limits.ts'
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
  const { config, database, pool, wallClock, jobsRepository, workerHeartbeats } = dependencies
  const readiness = createReadiness(pool)
  const { findOldestWaitMs } = jobsRepository
  const { findWorkers } = workerHeartbeats
  // Not through transact: a count is one statement of its own, on the way of every guarded request.
  const repository = createRateLimitsRepository(autocommit(database))
  return {
    status: createStatusService({
      ...dependencies,
      ...{ readiness, findWorkers, findOldestWaitMs, version: VERSION },
      environment: config.providers.sandbox.isRouted ? 'sandbox' : 'live',
    }),
    rateLimits: createRateLimits({ repository, windowMs: config.rateLimits.windowMs, clock: wallClock }),
    gauges: [poolGauge(pool), ...jobGauges(dependencies)],
  }
}
