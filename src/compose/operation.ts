import type { Pool } from 'pg'
import { createStatusService } from '../areas/status/status.service.ts'
import { createReadiness } from '../db/readiness.ts'
import { poolGauge } from '../http/metrics.ts'
import { createRateLimitsRepository } from '../http/rate-limits.repository.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import type { ProviderHealth } from '../providers/provider-health.ts'
import { VERSION } from '../version.ts'
import { clockGauge } from '../workers/lost-workers.ts'
import type { Ground } from './ground.ts'

/** What operators see, and what keeps callers within bounds. */
export const composeOperation = (foundations: Ground & { pool: Pool; providerHealth: ProviderHealth }) => {
  const { config, database, pool, wallClock, jobQueue, read } = foundations
  const readiness = createReadiness(pool)
  const { findOldestWaitMs } = jobQueue
  // Not through transact: a count is one statement of its own, on the way of every guarded request.
  const repository = createRateLimitsRepository(database)
  return {
    status: createStatusService({ ...foundations, readiness, findOldestWaitMs, version: VERSION }),
    rateLimits: createRateLimits({ repository, windowMs: config.rateLimits.windowMs, clock: wallClock }),
    gauges: [poolGauge(pool), ...jobQueue.gauges, clockGauge(read.workerHeartbeats.findWorkers)],
  }
}
