export const PROVIDER_EVENT_STATUSES = ['received', 'processed', 'ignored', 'unmatched', 'failed'] as const

/** What became of a callback. */
export type ProviderEventStatus = (typeof PROVIDER_EVENT_STATUSES)[number]
