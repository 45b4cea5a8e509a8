import type { Centavos } from '../../domain/money.ts'
import type { StatementLineKind } from '../../domain/reconciliation.ts'
import type { Refused, Unknown } from './outcomes.ts'

/** One movement of money as the provider's own list has it. Amounts are positive, whichever way the money went. */
export type StatementLine = {
  kind: StatementLineKind
  /** How callbacks name it too; a Pix that pays no charge has its end-to-end id. A dispute is one that was lost. */
  reference: string
  endToEndId: string | null
  amount: Centavos
  /** What the provider kept for it; null where the list does not say. */
  feeAmount: Centavos | null
  happenedAt: Date
}

/** The provider's own list of what happened, to compare the books with. */
export type StatementCapability = {
  /** The movements of a half open period, one after the other, in any order: a day may have a million. Throws where it cannot be read. */
  list(period: { from: Date; to: Date }): AsyncIterable<StatementLine>
}

/**
 * What lies on the platform's account at a provider. Beside what can be paid out, what is held back for claims that are not
 * decided; what a court holds is in neither.
 */
export type AccountBalance = { availableAmount: Centavos; disputedAmount: Centavos }

/** `refused`: the account may not be asked. */
export type BalanceResult = { outcome: 'found'; balance: AccountBalance } | Refused | Unknown

export type BalanceCapability = {
  /** As it is now. */
  get(signal: AbortSignal): Promise<BalanceResult>
}
