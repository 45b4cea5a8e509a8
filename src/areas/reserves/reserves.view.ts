import { subtract, toPercentage } from '../../domain/money.ts'
import type { ReleaseReason } from '../../domain/reserve-hold.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { ReserveConfigWithSeller } from './reserve-configs.repository.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'
import type { ReserveRelease } from './reserve-releases.repository.ts'

/** A reserve configuration as administrators see it. */
export const reserveConfigView = ({ config, sellerName, sellerEmail }: ReserveConfigWithSeller) => ({
  id: config.id,
  sellerId: config.sellerId,
  sellerName,
  sellerEmail,
  reservePercentage: toPercentage(config.percentage),
  reserveDays: config.days,
  isActive: config.isActive,
  createdAt: toTimestamp(config.createdAt),
  updatedAt: toTimestamp(config.updatedAt),
})

/** A hold as administrators and `reserve.held` tell it. `remainingAmount` is what is still held back. */
export const reserveHoldView = (hold: ReserveHold) => ({
  id: hold.id,
  sellerId: hold.sellerId,
  paymentId: hold.paymentId,
  amount: hold.amount,
  releasedAmount: hold.releasedAmount,
  consumedAmount: hold.consumedAmount,
  remainingAmount: subtract(hold.amount, hold.releasedAmount, hold.consumedAmount),
  status: hold.status,
  heldAt: toTimestamp(hold.heldAt),
  releaseAt: toTimestamp(hold.releaseAt),
})

/** A hold as `reserve.released` tells it: all that was left of it went back. */
export const releasedHoldView = (hold: ReserveHold, reason: ReleaseReason, now: Date) => {
  const releasedAmount = subtract(hold.amount, hold.consumedAmount)
  return { ...reserveHoldView({ ...hold, releasedAmount, status: 'released' }), reason, releasedAt: toTimestamp(now) }
}

/** How far the release of all that a seller has in reserve has come. */
export const reserveReleaseView = (release: ReserveRelease) => ({
  id: release.id,
  sellerId: release.sellerId,
  reserveConfigId: release.reserveConfigId,
  requestedBy: release.requestedBy,
  status: release.completedAt === null ? ('running' as const) : ('completed' as const),
  releasedCount: release.releasedCount,
  releasedAmount: release.releasedAmount,
  createdAt: toTimestamp(release.createdAt),
  updatedAt: toTimestamp(release.updatedAt),
  completedAt: toTimestampOrNull(release.completedAt),
})
