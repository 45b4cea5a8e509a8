import type { Clock } from '../../clock.ts'
import type { Reads } from '../../repositories.ts'
import type { GaugeSource } from '../../telemetry/gauge.ts'
import type { WebhookEngine } from './engine.ts'

type Dependencies = { read: Pick<Reads, 'events' | 'webhookDeliveries'>; clock: Clock }

/** How far webhooks are behind, over all processes: for the status page, the administrators and the metrics. */
export const createWebhookBacklog =
  ({ read, clock }: Dependencies) =>
  async () => {
    const [backlog, oldestEvent] = await Promise.all([
      read.webhookDeliveries.findBacklog(),
      read.events.findOldestWaiting(),
    ])
    const lagMs = oldestEvent === undefined ? 0 : clock.now().getTime() - oldestEvent.getTime()
    return { ...backlog, fanOutLagSeconds: Math.max(0, lagMs / 1_000) }
  }

export type WebhookBacklog = ReturnType<typeof createWebhookBacklog>

/** What Prometheus is told: of the whole platform, and of this process where it dispatches. */
export const webhookGauges = (
  findBacklog: WebhookBacklog,
  engine: Pick<WebhookEngine, 'counts' | 'inFlightCount'>,
): GaugeSource[] => [
  {
    name: 'webhook_backlog',
    help: 'Webhooks over all processes: deliveries pending, endpoints with an open breaker, endpoints disabled.',
    label: 'state',
    read: async () => {
      const { pendingCount, breakersOpenCount, disabledCount } = await findBacklog()
      return { pending: pendingCount, breaker_open: breakersOpenCount, disabled: disabledCount }
    },
  },
  {
    name: 'webhook_lag_seconds',
    help: 'Age of the oldest event without deliveries, and lateness of the oldest due delivery.',
    label: 'stage',
    read: async () => {
      const { fanOutLagSeconds, oldestDueSeconds } = await findBacklog()
      return { fan_out: fanOutLagSeconds, delivery: oldestDueSeconds }
    },
  },
  {
    name: 'webhook_attempts_count',
    help: 'Attempts of this process since its start, by result.',
    label: 'result',
    read: () => engine.counts.attempts,
  },
  {
    name: 'webhook_in_flight',
    help: 'Calls of this process that are under way.',
    read: engine.inFlightCount,
  },
  {
    name: 'webhook_stale_results_count',
    help: 'Attempts of this process whose lease had ended before they were recorded: they are sent again.',
    read: () => engine.counts.staleCount,
  },
]
