import { defineErrors } from '../../errors.ts'

export const withdrawalErrors = defineErrors('withdrawal', {
  not_found: [404, 'No withdrawal has this id.'],
  not_cancelable: [409, 'Only a withdrawal that waits for approval can be canceled.'],
  not_pending: [
    409,
    'This withdrawal no longer waits for approval. One that was approved is rejected only while it cannot be paid out.',
  ],
  uncovered: [
    409,
    'The seller owes the platform since, so this is not paid out. Reject it, or wait until income covers the debt.',
  ],
  seller_blocked: [409, 'The seller is blocked, so nothing is paid out. Reject it, or unblock them first.'],
  same_person: [
    409,
    'Nobody decides on a withdrawal that they requested themselves, or of a seller whose account they made or whose company they approved. Another administrator has to.',
  ],
  unavailable: [422, 'No provider of this platform pays out. Ask the platform.'],
  disabled: [422, 'Withdrawals are switched off for this seller. Ask the platform.'],
  below_minimum: [422, 'The amount is below the smallest withdrawal of this seller.'],
  above_maximum: [422, 'The amount is above the largest withdrawal of this seller.'],
  daily_limit: [422, 'With this amount the withdrawals of today, in São Paulo, would pass the daily limit.'],
  fee_exceeds_amount: [422, 'The fee would leave nothing to pay out. Withdraw more at once.'],
})

export const balanceErrors = defineErrors('balance', {
  insufficient: [422, 'The available balance does not cover this.'],
})

/** What POST /withdrawals refuses. */
export const REQUEST_ERRORS = [
  'idempotency.key_required',
  'seller.not_approved',
  'user.email_unverified',
  'withdrawal.unavailable',
  'withdrawal.disabled',
  'withdrawal.below_minimum',
  'withdrawal.above_maximum',
  'withdrawal.daily_limit',
  'withdrawal.fee_exceeds_amount',
  'balance.insufficient',
] as const
