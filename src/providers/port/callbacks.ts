import type { PaidParts } from '../../domain/due-terms.ts'
import type { Centavos } from '../../domain/money.ts'
import type { ChargeState } from './charges.ts'
import type { DisputeState } from './disputes.ts'
import type { Unknown } from './outcomes.ts'
import type { PayoutState } from './payouts.ts'
import type { RefundBegun, RefundState } from './refunds.ts'

/**
 * Money that reached the platform's account by Pix, whether somebody asked for it or not; the notification's reference is its
 * end-to-end id. `txid`: of the charge that it pays; null: it pays none. `parts` is what was added and taken off.
 */
export type ReceivedMoney = { txid: string | null; amount: Centavos; parts: PaidParts | null; receivedAt: Date }

/** One thing that a callback tells us. `reference` is the provider's name of the charge, payout, refund, dispute or money. */
export type Notification =
  | { kind: 'charge'; reference: string; state: ChargeState }
  | { kind: 'payout'; reference: string; state: PayoutState }
  | { kind: 'refund'; reference: string; state: RefundState; begun?: RefundBegun | undefined }
  | { kind: 'dispute'; reference: string; state: DisputeState }
  | { kind: 'received'; reference: string; received: ReceivedMoney }

export type NotificationKind = Notification['kind']

/** What our things are filed under by the provider's names. */
export type ReferenceKind = Exclude<NotificationKind, 'received'>

/**
 * A callback as it came in: header names in lower case, the body untouched. `query` is what its address had after `?`, where
 * some providers are given a secret.
 */
export type Callback = {
  headers: Readonly<Record<string, string | string[] | undefined>>
  query: Readonly<Record<string, unknown>>
  body: string
}

/** What a callback said. `unknown`: the provider, which has to be asked about it, did not answer. */
export type CallbackReading = { outcome: 'read'; notifications: readonly Notification[] } | Unknown

export type CallbackCapability = {
  /** Whether a callback comes from the provider, as far as it lets us tell. */
  authenticate(callback: Callback): boolean
  /**
   * What a callback's body says, or what the provider says when it is asked about what the body names. It is read when it
   * is processed, which may be long after it came in: the headers that proved its origin are gone by then. A promise
   * only where the provider is asked, which ends by a deadline of the adapter's. Throws UnreadableCallbackError for a body it does not understand.
   */
  read(body: string): CallbackReading | Promise<CallbackReading>
}
