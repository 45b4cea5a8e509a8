import { subtract } from '../../domain/money.ts'
import { toPercentage, toTimestamp } from '../../http/primitives.schemas.ts'
import type { ReserveConfigWithSeller } from './reserve-configs.repository.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'

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

/** A hold as `reserve.held` and `reserve.released` tell it. `remainingAmount` is what is still held back. */
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
export const releasedHoldView = (hold: ReserveHold, now: Date) => {
  const releasedAmount = subtract(hold.amount, hold.consumedAmount)
  return { ...reserveHoldView({ ...hold, releasedAmount, status: 'released' }), releasedAt: toTimestamp(now) }
}
