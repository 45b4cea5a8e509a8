/** Of an endpoint: the seller pauses it, the platform disables it. */
export const WEBHOOK_STATUSES = ['enabled', 'paused', 'disabled'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** Of one event on its way to one endpoint. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const

/** How long events are kept, and so can be read and sent again. */
export const EVENTS_KEPT_MS = 30 * 86_400_000
