import { TRANSFER_KINDS, type TransferKind } from './ledger.ts'
import { add, type Centavos, shareOf, subtract } from './money.ts'

export const FEE_SOURCES = ['payment', 'withdrawal', 'dispute', 'refund'] as const

/** What the platform earned a fee for. What is posted for a refund are fees that were given back, of whatever kind. */
export type FeeSource = (typeof FEE_SOURCES)[number]

/** Every kind of transfer has its place, also where it posts no fee today: the parts always sum to the account. */
const sources: Readonly<Record<TransferKind, FeeSource>> = {
  payment_received: 'payment',
  payment_settled: 'payment',
  reserve_held: 'payment',
  reserve_released: 'payment',
  refund_requested: 'refund',
  refund_failed: 'refund',
  dispute_opened: 'dispute',
  dispute_won: 'dispute',
  dispute_lost: 'dispute',
  dispute_reversed: 'refund',
  withdrawal_requested: 'withdrawal',
  withdrawal_completed: 'withdrawal',
  withdrawal_reversed: 'withdrawal',
  withdrawal_returned: 'refund',
}

/** The kinds of transfers whose fees come from one source. */
export const kindsOf = (source: FeeSource): TransferKind[] => TRANSFER_KINDS.filter((kind) => sources[kind] === source)

/** What the platform earned, by source. Sums of the ledger's postings, all as positive numbers. */
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
