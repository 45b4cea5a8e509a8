import type { LedgerAccount } from './ledger.ts'
import { lifecycle } from './lifecycle.ts'
import { type Centavos, negate, subtract, ZERO } from './money.ts'

export const RECONCILIATION_STATUSES = ['running', 'balanced', 'exceptions'] as const
export type ReconciliationStatus = (typeof RECONCILIATION_STATUSES)[number]

/** A day is reconciled again whenever somebody asks, and each night while it has open exceptions. */
export const reconciliationLifecycle = lifecycle<ReconciliationStatus>('reconciliation', {
  running: ['balanced', 'exceptions'],
  balanced: ['running'],
  exceptions: ['running'],
})

/**
 * What can differ between a provider and the books: money that only one of them has, another amount, the same money twice,
 * another fee, and refunds and payouts that nobody here asked for.
 */
export const EXCEPTION_KINDS = [
  'missing_here',
  'missing_there',
  'amount',
  'duplicate',
  'fee',
  'unmatched_refund',
  'unmatched_payout',
] as const
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number]

export const EXCEPTION_STATUSES = ['open', 'resolved'] as const
export type ExceptionStatus = (typeof EXCEPTION_STATUSES)[number]

export const exceptionLifecycle = lifecycle<ExceptionStatus>('reconciliation exception', {
  open: ['resolved'],
  resolved: ['open'],
})

/**
 * `match`: found to agree after all. `refund_payer` gives back what is nobody's here. `adjust` and `write_off` post the
 * difference; `explain` posts nothing.
 */
export const RESOLUTIONS = ['match', 'refund_payer', 'adjust', 'write_off', 'explain'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** What a line of a statement is about. A dispute is there once it is lost: its money left like a refund’s. */
export const STATEMENT_LINE_KINDS = ['charge', 'refund', 'payout', 'dispute'] as const
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number]

/** Why a day was compared: the night, somebody who asked, or a file that was handed in. */
export const RUN_CAUSES = ['nightly', 'asked', 'statement'] as const
export type RunCause = (typeof RUN_CAUSES)[number]

/** The shapes of files that statements are taken from: the platform's own, and what providers let one download. */
export const STATEMENT_FORMATS = ['csv', 'efi'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

export const PAYER_REFUND_STATUSES = ['processing', 'completed', 'failed'] as const
export type PayerRefundStatus = (typeof PAYER_REFUND_STATUSES)[number]

export const payerRefundLifecycle = lifecycle<PayerRefundStatus>('refund of a payer', {
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
})

type Difference = {
  kind: ExceptionKind
  lineKind: StatementLineKind
  providerAmount: Centavos
  platformAmount: Centavos
}

/** What lies at the provider more than the books say, negative for less. Fees, refunds and payouts leave it. */
export const differenceOf = ({ kind, lineKind, providerAmount, platformAmount }: Difference): Centavos => {
  const difference = subtract(providerAmount, platformAmount)
  return kind === 'fee' || lineKind !== 'charge' ? negate(difference) : difference
}

/** What is still to be corrected: what was posted for it before, when the facts were others, is not posted again. */
export const remainingOf = ({
  correctedAmount,
  ...difference
}: Difference & { correctedAmount: Centavos | null }): Centavos =>
  subtract(differenceOf(difference), correctedAmount ?? ZERO)

/** The account that takes a difference: another fee is a cost, a loss is a loss, and the rest is the seller's. */
export const accountFor = (resolution: Resolution, kind: ExceptionKind): LedgerAccount | undefined => {
  if (resolution === 'write_off') return 'losses'
  if (resolution !== 'adjust') return undefined
  return kind === 'fee' ? 'provider_cost' : 'available'
}
