import { lifecycle } from './lifecycle.ts'
import { add, type Bps, type Centavos, percentOf } from './money.ts'

export const WITHDRAWAL_STATUSES = [
  'pending_approval',
  'approved',
  'processing',
  'completed',
  'failed',
  'rejected',
  'canceled',
  'returned',
] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/**
 * A payout whose outcome is unknown stays `processing`. A bank may still return what was completed. What is approved and
 * cannot be paid out may be rejected after all.
 */
export const withdrawalLifecycle = lifecycle<WithdrawalStatus>('withdrawal', {
  pending_approval: ['approved', 'rejected', 'canceled'],
  approved: ['processing', 'rejected'],
  processing: ['completed', 'failed'],
  completed: ['returned'],
  failed: [],
  rejected: [],
  canceled: [],
  returned: [],
})

/** What a provider says at last about a payout. */
export type PayoutOutcome = 'completed' | 'failed' | 'returned'

/**
 * The states that an outcome leads through, in their order; none where it changes nothing. Callbacks come in any order
 * and any number of times: a return that overtakes its completion brings the completion with it.
 */
export const payoutSteps = (status: WithdrawalStatus, outcome: PayoutOutcome): readonly WithdrawalStatus[] => {
  const steps: readonly WithdrawalStatus[] =
    outcome === 'returned' && status === 'processing' ? ['completed', 'returned'] : [outcome]
  return steps[0] !== undefined && withdrawalLifecycle.allows(status, steps[0]) ? steps : []
}

/** Whether an outcome cannot be true beside the state: the provider said something else before, or was never asked. */
export const contradicts = (status: WithdrawalStatus, outcome: PayoutOutcome): boolean => {
  const told: readonly WithdrawalStatus[] = outcome === 'completed' ? ['completed', 'returned'] : [outcome]
  return payoutSteps(status, outcome).length === 0 && !told.includes(status)
}

/** What a withdrawal costs: the percentage (half a centavo up) plus the fixed part. It may exceed a small amount. */
export const withdrawalFee = (
  amount: Centavos,
  { feePercentage, feeFixedAmount }: { feePercentage: Bps; feeFixedAmount: Centavos },
): Centavos => add(percentOf(amount, feePercentage), feeFixedAmount)
