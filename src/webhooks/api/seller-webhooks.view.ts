import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { RecoveryRow } from '../engine/webhook-recoveries.repository.ts'
import type { AttemptRow, DeliveryRow } from './delivery-history.queries.ts'
import type { WebhookRow } from './seller-webhooks.repository.ts'

type Health = Pick<
  WebhookRow,
  'status' | 'failingSince' | 'lastFailure' | 'lastFailureStatus' | 'breakerOpenUntil' | 'nextDueAt'
>

/** How an address fares, and when it is called next where something waits for it. */
const healthView = ({ status, failingSince, lastFailure, lastFailureStatus, breakerOpenUntil, nextDueAt }: Health) => {
  if (failingSince === null)
    return { state: 'working' as const, reason: null, responseStatus: null, nextAttemptAt: null }
  const nextAttemptAt = status === 'enabled' ? toTimestampOrNull(nextDueAt ?? breakerOpenUntil) : null
  const state = breakerOpenUntil === null ? ('failing' as const) : ('paused' as const)
  return { state, reason: lastFailure, responseStatus: lastFailureStatus, nextAttemptAt }
}

/** A webhook as the API shows it: never with its secret. */
export const webhookView = (
  webhook: Health &
    Pick<WebhookRow, 'id' | 'url' | 'events' | 'description' | 'statusReason' | 'createdAt' | 'updatedAt'>,
) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  status: webhook.status,
  statusReason: webhook.statusReason,
  failingSince: toTimestampOrNull(webhook.failingSince),
  health: healthView(webhook),
  createdAt: toTimestamp(webhook.createdAt),
  updatedAt: toTimestamp(webhook.updatedAt),
})

export type WebhookView = ReturnType<typeof webhookView>

export const attemptView = (attempt: AttemptRow) => ({
  attempt: attempt.attempt,
  result: attempt.result,
  responseStatus: attempt.responseStatus,
  responseSnippet: attempt.responseSnippet,
  durationMs: attempt.durationMs,
  bodySha256: attempt.bodySha256,
  createdAt: toTimestamp(attempt.createdAt),
})

export const deliveryView = (
  delivery: Omit<DeliveryRow, 'sellerId' | 'leaseToken' | 'leasedBy' | 'leasedUntil'>,
  attempts: readonly AttemptRow[],
) => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  replayNumber: delivery.replayNumber,
  status: delivery.status,
  attemptsMade: delivery.attemptsMade,
  nextAttemptAt: delivery.status === 'pending' ? toTimestampOrNull(delivery.nextAttemptAt) : null,
  createdAt: toTimestamp(delivery.createdAt),
  updatedAt: toTimestamp(delivery.updatedAt),
  attempts: attempts.map(attemptView),
})

export type DeliveryView = ReturnType<typeof deliveryView>

export const recoveryView = (recovery: RecoveryRow) => ({
  id: recovery.id,
  webhookId: recovery.webhookId,
  since: toTimestamp(recovery.since),
  status: recovery.finishedAt === null ? ('running' as const) : ('finished' as const),
  resentCount: recovery.resentCount,
  createdAt: toTimestamp(recovery.createdAt),
})

export type RecoveryView = ReturnType<typeof recoveryView>
