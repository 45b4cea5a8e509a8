import { lifecycle } from '../domain/lifecycle.ts'

export const PROVIDER_EVENT_STATUSES = ['received', 'processed', 'ignored', 'unmatched', 'failed'] as const

/** What became of a callback. */
export type ProviderEventStatus = (typeof PROVIDER_EVENT_STATUSES)[number]

/** What matched nothing, or failed, is tried again by itself; an administrator replays it, and what was ignored, from the start. */
export const providerEventLifecycle = lifecycle<ProviderEventStatus>('callback', {
  received: ['processed', 'ignored', 'unmatched', 'failed'],
  unmatched: ['processed', 'ignored', 'failed', 'received'],
  failed: ['processed', 'ignored', 'unmatched', 'received'],
  processed: [],
  ignored: ['received'],
})
