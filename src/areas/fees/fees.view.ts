import { toPercentage } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Fee } from './fees.repository.ts'

/** A fee as the API shows it. */
export const feeView = (fee: Fee) => ({
  id: fee.id,
  sellerId: fee.sellerId,
  method: fee.method,
  installmentsFrom: fee.installmentsFrom,
  installmentsTo: fee.installmentsTo,
  percentage: toPercentage(fee.percentage),
  fixedAmount: fee.fixedAmount,
  minAmount: fee.minAmount,
  maxAmount: fee.maxAmount,
  settlementDays: fee.settlementDays,
  isActive: fee.isActive,
  createdAt: toTimestamp(fee.createdAt),
  updatedAt: toTimestamp(fee.updatedAt),
})

export type FeeView = ReturnType<typeof feeView>
