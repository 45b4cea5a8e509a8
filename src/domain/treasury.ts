import type { LedgerAccount } from './ledger.ts'
import { lifecycle } from './lifecycle.ts'
import { add, type Centavos, negate, smaller, subtract, ZERO } from './money.ts'

export const TREASURY_PAYOUT_STATUSES = ['approved', 'processing', 'completed', 'failed', 'returned'] as const
export type TreasuryPayoutStatus = (typeof TREASURY_PAYOUT_STATUSES)[number]

/** A payout whose outcome is unknown stays `processing`. */
export const treasuryPayoutLifecycle = lifecycle<TreasuryPayoutStatus>('treasury payout', {
  approved: ['processing'],
  processing: ['completed', 'failed', 'returned'],
  completed: ['returned'],
  failed: [],
  returned: [],
})

/** What stands on the accounts of all books together. */
export type Position = {
  /** With the signs of the ledger: what is owed is positive, what is had is negative. */
  balances: Readonly<Record<LedgerAccount, Centavos>>
  /** What sellers are owed: the sum of their balances above zero. What some owe is no money to pay others with. */
  owedToSellersAmount: Centavos
  /** The part of that which the acquirer of cards has yet to pay over. */
  cardsPendingAmount: Centavos
}

/** What the platform has earned and not taken out, and how much of it could be paid out now. */
export const treasuryOf = ({ balances, owedToSellersAmount, cardsPendingAmount }: Position) => {
  const earnedAmount = add(balances.fee_revenue, balances.provider_cost, balances.losses, balances.treasury)
  const cashAmount = negate(balances.clearing)
  // What lies at the provider, less all that sellers may ask for before the acquirer has paid anything.
  const freeCashAmount = subtract(cashAmount, subtract(owedToSellersAmount, cardsPendingAmount))
  const payableAmount = smaller(earnedAmount, freeCashAmount)
  return { earnedAmount, cashAmount, payableAmount: payableAmount < 0 ? ZERO : payableAmount }
}
