import type { PaymentMethod } from '../domain/payment.ts'
import type { BalanceCapability, StatementCapability } from './port/account.ts'
import type { CallbackCapability } from './port/callbacks.ts'
import type { CardFieldsCapability, SavedCardCapability } from './port/cards.ts'
import type { ChargeCapability } from './port/charges.ts'
import type { DisputeCapability } from './port/disputes.ts'
import type { PayoutCapability } from './port/payouts.ts'
import type { RefundCapability } from './port/refunds.ts'

// What a provider may be asked for lies in port/, a file for each capability.
export type * from './port/account.ts'
export type * from './port/callbacks.ts'
export type * from './port/cards.ts'
export type * from './port/charges.ts'
export type * from './port/disputes.ts'
export type * from './port/outcomes.ts'
export type * from './port/payouts.ts'
export type * from './port/refunds.ts'

/**
 * A payment provider in our words, as the set of what it can do: what is absent is never asked of it. Every promise
 * settles before `signal` aborts or soon after; an adapter that cannot tell what happened answers `unknown`. No method
 * throws for something that the provider said.
 */
export type PaymentProvider = {
  readonly name: string
  readonly charges?: ChargeCapability
  readonly refunds?: RefundCapability
  readonly payouts?: PayoutCapability
  /** Absent: payers cannot type cards in here. The checkout then shows its other methods. */
  readonly cardFields?: CardFieldsCapability
  /** Absent: each charge of a card needs a token of its own. */
  readonly savedCards?: SavedCardCapability
  /** Absent: the provider takes no defences by its API. */
  readonly disputes?: DisputeCapability
  /** Absent: there is nothing to compare the books with. */
  readonly statements?: StatementCapability
  /** Absent: it does not tell what lies on its account. */
  readonly balance?: BalanceCapability
  readonly callbacks: CallbackCapability
}

/** What configuration routes to a provider. */
export const ROUTED = ['pix', 'boleto', 'credit_card', 'payouts'] as const

export type Routed = (typeof ROUTED)[number]

type Serving = { charges?: Pick<ChargeCapability, 'methods'> | undefined; payouts?: unknown }

/** Whether a provider can do what is routed to it. */
export const canServe = ({ charges, payouts }: Serving, what: Routed): boolean =>
  what === 'payouts' ? payouts !== undefined : charges?.methods[what satisfies PaymentMethod] !== undefined

/** An authentic callback that makes no sense. It is kept, visible, for a person to look at. */
export class UnreadableCallbackError extends Error {
  override readonly name = 'UnreadableCallbackError'
}
