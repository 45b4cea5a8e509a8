import { invariant } from './invariant.ts'
import type { LedgerAccount, TransferKind } from './ledger.ts'
import { add, type Centavos, negate, ZERO } from './money.ts'
import type { PaymentMethod } from './payment.ts'

/** One leg: a positive amount credits the account, a negative one debits it. Never zero. */
export type Posting = { account: LedgerAccount; amount: Centavos }

export const REFERENCE_TYPES = [
  'payment',
  'settlement',
  'hold',
  'refund',
  'dispute',
  'withdrawal',
  'adjustment',
  'treasury_payout',
  'exception',
  'payer_refund',
] as const

/** What a transfer moves money for. With the kind it names the transfer: the same one is never posted twice. */
export type ReferenceType = (typeof REFERENCE_TYPES)[number]

/** A balanced movement of money within one seller's book, not yet posted. */
export type Transfer = {
  sellerId: string
  kind: TransferKind
  referenceType: ReferenceType
  referenceId: string
  /** How the payment was paid that money moves for; null where it moves for none. */
  method: PaymentMethod | null
  /** Who moves the money of what the platform earns or spends by it; absent where nobody in particular does. */
  provider?: string | null
  /** One short sentence for the seller's statement. */
  description: string
  /** Invariant: at least two, each account once, sum zero. The guard `ledger_transfers_balanced` asserts it again. */
  postings: readonly Posting[]
  /** May take a seller's bucket below zero: a dispute, or a refund that cannot be refused. */
  forced?: boolean
}

/**
 * Makes a transfer out of legs: those of one account are added up, empty ones left out.
 * Throws InvariantError unless at least two remain and they sum to zero.
 */
export const transfer = ({ postings, ...rest }: Transfer): Transfer => {
  const totals = new Map<LedgerAccount, Centavos>()
  for (const { account, amount } of postings) totals.set(account, add(totals.get(account) ?? ZERO, amount))
  const legs = [...totals].flatMap(([account, amount]) => (amount === 0 ? [] : [{ account, amount }]))
  invariant(legs.length >= 2, `a ${rest.kind} moves money between accounts`)
  invariant(add(...legs.map(({ amount }) => amount)) === 0, `the postings of a ${rest.kind} sum to zero`)
  return { ...rest, postings: legs }
}

/** A leg that gives an account more. Throws InvariantError for a negative amount. */
export const credit = (account: LedgerAccount, amount: Centavos): Posting => {
  invariant(amount >= 0, `an amount of money is not negative: ${amount}`)
  return { account, amount }
}

/** The leg that undoes a leg. */
export const reversed = ({ account, amount }: Posting): Posting => ({ account, amount: negate(amount) })

/** A leg that takes from an account. Throws InvariantError for a negative amount. */
export const debit = (account: LedgerAccount, amount: Centavos): Posting => reversed(credit(account, amount))
