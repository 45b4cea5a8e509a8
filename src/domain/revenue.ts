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
  /** Debts of sellers that were given up, less what was recovered of them, and differences with providers that were. */
  lossesAmount: Centavos
}

/** The fees that the platform kept: what was given back is taken off, what the provider costs is not. */
export const feesKept = (fees: FeeTotals): Centavos =>
  subtract(add(fees.paymentFeesAmount, fees.withdrawalFeesAmount, fees.disputeFeesAmount), fees.refundedFeesAmount)

/** What is left of the fees after the provider's. */
export const netRevenue = (fees: FeeTotals): Centavos => subtract(feesKept(fees), fees.providerCostAmount)

/** What is left of that after what was lost. */
export const margin = (fees: FeeTotals): Centavos => subtract(netRevenue(fees), fees.lossesAmount)

/** The fees that were kept as a percentage of the volume, with two decimals; zero without volume. */
export const takeRate = (fees: FeeTotals, grossVolumeAmount: Centavos): number =>
  shareOf(feesKept(fees), grossVolumeAmount)
