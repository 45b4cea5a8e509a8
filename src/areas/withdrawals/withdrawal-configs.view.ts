import { toPercentage } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { WithdrawalConfigWithSeller, WithdrawalTerms } from './withdrawal-configs.repository.ts'

/** What a seller may withdraw and what it costs them, as the API and the audit log show it. */
export const termsView = (terms: WithdrawalTerms) => ({
  minAmount: terms.minAmount,
  maxAmount: terms.maxAmount,
  dailyLimitAmount: terms.dailyLimitAmount,
  feePercentage: toPercentage(terms.feePercentage),
  feeFixedAmount: terms.feeFixedAmount,
  autoApproveMaxAmount: terms.autoApproveMaxAmount,
  isActive: terms.isActive,
})

/** A withdrawal configuration as administrators see it. */
export const withdrawalConfigView = ({ config, sellerName, sellerEmail }: WithdrawalConfigWithSeller) => ({
  id: config.id,
  sellerId: config.sellerId,
  sellerName,
  sellerEmail,
  ...termsView(config),
  createdAt: toTimestamp(config.createdAt),
  updatedAt: toTimestamp(config.updatedAt),
})
