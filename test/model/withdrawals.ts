import { move, type Seller, share, type Withdrawal } from './book.ts'
import { dayOf } from './calendar.ts'

const COUNTED = ['pending_approval', 'approved', 'processing', 'completed']

const requestedToday = ({ withdrawals }: Seller, nowMs: number): number => {
  let total = 0
  for (const { status, requestedAtMs, amount } of withdrawals) {
    if (COUNTED.includes(status) && dayOf(requestedAtMs) === dayOf(nowMs)) total += amount
  }
  return total
}

const feeOf = ({ terms }: Seller, amount: number): number => share(amount, terms.feeBps) + terms.feeFixedAmount

/** Why an amount cannot be withdrawn, by the code of the refusal. */
export const withdrawalRefusal = (seller: Seller, amount: number, nowMs: number): [number, string] | undefined => {
  const { terms, book, isApproved } = seller
  if (!isApproved) return [403, 'seller.not_approved']
  if (!terms.isActive) return [422, 'withdrawal.disabled']
  if (amount < terms.minAmount) return [422, 'withdrawal.below_minimum']
  if (amount > terms.maxAmount) return [422, 'withdrawal.above_maximum']
  if (requestedToday(seller, nowMs) + amount > terms.dailyLimitAmount) return [422, 'withdrawal.daily_limit']
  if (feeOf(seller, amount) >= amount) return [422, 'withdrawal.fee_exceeds_amount']
  if (amount > book.available) return [422, 'balance.insufficient']
  return undefined
}

/** Sets the whole amount aside. */
export const takeWithdrawal = (seller: Seller, id: string, amount: number, nowMs: number): Withdrawal => {
  const feeAmount = feeOf(seller, amount)
  const withdrawal: Withdrawal = {
    id,
    amount,
    feeAmount,
    netAmount: amount - feeAmount,
    status: amount <= seller.terms.autoApproveMaxAmount ? 'approved' : 'pending_approval',
    statusReason: null,
    requestedAtMs: nowMs,
    payout: undefined,
  }
  seller.withdrawals.push(withdrawal)
  move(seller, { available: -amount, withdrawing: amount })
  return withdrawal
}

/** Gives all of it back: rejected, canceled, or refused by the bank. */
export const undo = (seller: Seller, withdrawal: Withdrawal, status: string, reason: string | null): void => {
  withdrawal.status = status
  withdrawal.statusReason = reason
  move(seller, { withdrawing: -withdrawal.amount, available: withdrawal.amount })
}

const complete = (seller: Seller, withdrawal: Withdrawal): void => {
  const { amount, netAmount, feeAmount } = withdrawal
  withdrawal.status = 'completed'
  move(seller, { withdrawing: -amount, clearing: netAmount, fee_revenue: feeAmount })
}

/** The bank says what became of a payout. A return that overtakes its completion brings it along. */
export const hearPayout = (seller: Seller, withdrawal: Withdrawal, status: string, reason: string | null): void => {
  const isOut = withdrawal.status === 'processing'
  if (isOut && status === 'failed') undo(seller, withdrawal, status, reason)
  if (isOut && (status === 'completed' || status === 'returned')) complete(seller, withdrawal)
  if (withdrawal.status !== 'completed' || status !== 'returned') return
  withdrawal.status = status
  withdrawal.statusReason = reason
  move(seller, { clearing: -withdrawal.netAmount, available: withdrawal.netAmount })
}

/** Sends an approved withdrawal to the bank: a net that ends in 91 waits there, one in 92 is refused. */
export const payOut = (seller: Seller, withdrawal: Withdrawal): void => {
  const { status, netAmount } = withdrawal
  if (status !== 'approved') return
  if (!seller.isApproved) {
    withdrawal.statusReason = 'seller_not_approved'
    return
  }
  if (seller.book.available < 0) {
    withdrawal.statusReason = 'balance_below_zero'
    return
  }
  withdrawal.status = 'processing'
  withdrawal.statusReason = null
  if (netAmount % 100 === 92) undo(seller, withdrawal, 'failed', 'payout_refused')
  else {
    withdrawal.payout = netAmount % 100 === 91 ? 'processing' : 'completed'
    hearPayout(seller, withdrawal, withdrawal.payout, null)
  }
}
