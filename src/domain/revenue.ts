import { add, type Centavos, shareOf, subtract } from './money.ts'

/**
 * What the platform earned, by what it earned it for. Sums of the ledger's postings, all as positive numbers. Which kinds of
 * transfers are which is said where they are summed: src/daily-totals/sql/revenue.sql.
 */
export type FeeTotals = {
  paymentFeesAmount: Centavos
  withdrawalFeesAmount: Centavos
  disputeFeesAmount: Centavos
  refundedFeesAmount: Centavos
  providerCostAmount: Centavos
}

/** The fees that the platform kept: what was given back is taken off, what the provider costs is not. */
export const feesKept = (fees: FeeTotals): Centavos =>
  subtract(add(fees.paymentFeesAmount, fees.withdrawalFeesAmount, fees.disputeFeesAmount), fees.refundedFeesAmount)

/** What is left of the fees after the provider's. */
export const netRevenue = (fees: FeeTotals): Centavos => subtract(feesKept(fees), fees.providerCostAmount)

/** The fees that were kept as a percentage of the volume, with two decimals; zero without volume. */
export const takeRate = (fees: FeeTotals, grossVolumeAmount: Centavos): number =>
  shareOf(feesKept(fees), grossVolumeAmount)
