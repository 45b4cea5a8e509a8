import type { LedgerAccount } from './ledger.ts'
import { lifecycle } from './lifecycle.ts'
import { add, type Centavos, larger, negate, smaller, subtract, ZERO } from './money.ts'

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
  /** Payouts of the platform and refunds that have left the books and may not have left the provider yet. */
  inTransitAmount: Centavos
}

/** What providers said that lies on the platform's accounts. */
export type Holdings = {
  /** On all accounts together. Null: not every provider tells, so that there is nothing to compare the books with. */
  heldAmount: Centavos | null
  /** What could be paid out from the account that payouts are made from. Null: its provider does not tell. */
  availableAmount: Centavos | null
  /** What the books said just before: what leaves while providers answer may still be in what they say. */
  before: Position
}

/** What of the money at providers is not the platform's: what sellers may ask for before the acquirer of cards has paid, and what is leaving. */
const claimedOf = ({ owedToSellersAmount, cardsPendingAmount, inTransitAmount }: Position): Centavos =>
  add(subtract(owedToSellersAmount, cardsPendingAmount), inTransitAmount)

/** What the platform has earned and not taken out, what its providers hold, and how much of it could be paid out now. */
export const treasuryOf = (position: Position, { heldAmount, availableAmount, before }: Holdings) => {
  const { balances, inTransitAmount } = position
  const earnedAmount = add(balances.fee_revenue, balances.provider_cost, balances.losses, balances.treasury)
  const cashAmount = negate(balances.clearing)
  // By the books, that much lies at the providers.
  const expectedAmount = add(cashAmount, inTransitAmount)
  const payableAmount = [
    subtract(expectedAmount, claimedOf(position)),
    ...(heldAmount === null ? [] : [subtract(heldAmount, larger(claimedOf(position), claimedOf(before)))]),
    ...(availableAmount === null ? [] : [subtract(availableAmount, larger(inTransitAmount, before.inTransitAmount))]),
  ].reduce(smaller, earnedAmount)
  return {
    earnedAmount,
    cashAmount,
    inTransitAmount,
    heldAmount,
    differenceAmount: heldAmount === null ? null : subtract(heldAmount, expectedAmount),
    payableAmount: larger(payableAmount, ZERO),
  }
}
