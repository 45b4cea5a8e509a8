import type { EventType } from '../../events/event-types.ts'
import type { Withdrawal } from './withdrawals.queries.ts'
import { maskedWithdrawal } from './withdrawals.view.ts'

export type WithdrawalEventType = Extract<EventType, `withdrawal.${string}`>

/** What happened to a withdrawal, for its seller's webhooks. `row` is the withdrawal as it stands after it. */
export const withdrawalEvent = (type: WithdrawalEventType, row: Withdrawal) => ({
  type,
  sellerId: row.sellerId,
  data: maskedWithdrawal(row),
})
