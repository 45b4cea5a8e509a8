import { expect, test } from 'vitest'
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../src/domain/ledger.ts'
import { type Centavos, centavos, ZERO } from '../../src/domain/money.ts'
import { type Position, treasuryOf } from '../../src/domain/treasury.ts'

// Of 100.00 earned nothing is owed to anybody.
const position = (inTransit: number): Position => {
  const balances = Object.fromEntries(LEDGER_ACCOUNTS.map((account) => [account, ZERO])) as Record<
    LedgerAccount,
    Centavos
  >
  return {
    balances: { ...balances, fee_revenue: centavos(10_000), clearing: centavos(-10_000) },
    owedToSellersAmount: ZERO,
    cardsPendingAmount: ZERO,
    inTransitAmount: centavos(inTransit),
  }
}

const payable = (now: Position, before: Position, availableAmount: number, disputedAmount = 0) => {
  const heldAmount = centavos(availableAmount + disputedAmount)
  return treasuryOf(now, { heldAmount, availableAmount: centavos(availableAmount), before }).payableAmount
}

test('no more is payable than the account has available, less what is leaving it', () => {
  expect(payable(position(0), position(0), 4_000, 3_000)).toBe(4_000)
  expect(payable(position(1_000), position(1_000), 4_000, 3_000)).toBe(3_000)
})

test('what left while the provider answered is not taken for money that is there', () => {
  expect(payable(position(0), position(1_000), 4_000, 3_000)).toBe(3_000)
  expect(payable(position(0), position(1_000), 4_000)).toBe(3_000)
})
