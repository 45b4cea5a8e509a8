import { lifecycle } from './lifecycle.ts'

export const RESERVE_HOLD_STATUSES = ['held', 'frozen', 'released', 'consumed'] as const
export type ReserveHoldStatus = (typeof RESERVE_HOLD_STATUSES)[number]

/** A dispute freezes a hold, so that time does not release it. Refunds and lost disputes consume it. */
export const reserveHoldLifecycle = lifecycle<ReserveHoldStatus>('hold', {
  held: ['frozen', 'released', 'consumed'],
  frozen: ['held', 'consumed'],
  released: [],
  consumed: [],
})

/** Whether money that comes back to a hold is held again: neither its day nor an administrator has released it meanwhile. */
export const canHoldAgain = (
  { status, releaseAt }: { status: ReserveHoldStatus; releaseAt: Date },
  now: Date,
): boolean => status !== 'released' && releaseAt > now

/** Why a hold was released: its day had come, or an administrator gave it back before. */
export const RELEASE_REASONS = ['due', 'early'] as const
export type ReleaseReason = (typeof RELEASE_REASONS)[number]
