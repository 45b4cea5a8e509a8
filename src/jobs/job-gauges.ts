import type { GaugeSource } from '../telemetry/gauge.ts'
import type { JobBacklog, JobsRepository } from './jobs.repository.ts'
import type { WorkerHeartbeatsRepository } from './worker-heartbeats.repository.ts'

type Dependencies = {
  jobsRepository: Pick<JobsRepository, 'listBacklog'>
  workerHeartbeats: Pick<WorkerHeartbeatsRepository, 'findWorkers'>
}

/** How the background jobs and their workers do, over all processes, for Prometheus. */
export const jobGauges = ({ jobsRepository, workerHeartbeats }: Dependencies): GaugeSource[] => {
  const gauge = (name: string, help: string, value: (backlog: JobBacklog) => number): GaugeSource => ({
    name,
    help,
    label: 'job',
    read: async () => {
      const backlogs = await jobsRepository.listBacklog()
      return Object.fromEntries(backlogs.map((backlog) => [backlog.job, value(backlog)]))
    },
  })
  return [
    gauge('jobs_waiting', 'Background jobs that are due and wait.', ({ waiting }) => waiting),
    gauge(
      'jobs_oldest_wait_seconds',
      'For how long the oldest background job that is due has waited.',
      ({ oldestWaitSeconds }) => oldestWaitSeconds,
    ),
    gauge('jobs_failing', 'Background jobs whose last run failed.', ({ failing }) => failing),
    {
      name: 'worker_clock_skew_seconds',
      help: 'How far the clock of the worker that is furthest off is ahead of the database, or behind where negative.',
      read: async () => (await workerHeartbeats.findWorkers()).clockSkewMs / 1_000,
    },
  ]
}
