import type { Readable } from 'node:stream'
import type { DueTerms, PaidParts } from '../domain/due-terms.ts'
import type { Language } from '../domain/language.ts'
import type { Centavos } from '../domain/money.ts'
import type { PaymentMethod } from '../domain/payment.ts'
import type { StatementLineKind } from '../domain/reconciliation.ts'

/** Who pays, as far as the seller told. */
export type Payer = { name: string; document: string | null; email: string | null; phone: string | null }

type ChargeMethod =
  /** With terms it falls due on a date, and what is to be paid depends on the day. */
  | { method: 'pix'; expiresAt: Date; dueTerms: DueTerms | null }
  /** `dueDate` is a São Paulo date. */
  | { method: 'boleto'; dueDate: string; dueTerms: DueTerms | null }
  | { method: 'credit_card'; cardToken: string; installments: number; capture: boolean }

/** For whom a payment is taken: by the name that payers know, and the CNPJ of the company once it is approved. */
export type Seller = { name: string; document: string | null }

/** A charge to be made. `paymentId` is its idempotency key: the same id never makes a second charge. */
export type ChargeRequest = {
  paymentId: string
  /** How the charge is to be called, where the provider lets us choose (`referenceOf`); null: by its payment. */
  reference: string | null
  sellerId: string
  /** Null: the seller's account is gone. */
  seller: Seller | null
  amount: Centavos
  description: string | null
  payer: Payer | null
  requestedAt: Date
} & ChargeMethod

/**
 * Where a charge stands. `paidAmount` is all that was paid on it, which may differ from what was asked; `parts` is why, and
 * `receivedAt` when, as far as the provider tells.
 */
export type ChargeState =
  | { status: 'pending' | 'processing' | 'authorized' }
  | {
      status: 'paid'
      paidAmount: Centavos
      endToEndId: string | null
      parts?: PaidParts | null | undefined
      receivedAt?: Date
    }
  | { status: 'failed' | 'canceled' | 'expired'; reason: string | null }

export type ChargeCard = {
  brand: string
  last4: string
  expMonth: number
  expYear: number
  authorizationCode: string | null
}

/** A charge as the provider keeps it. `reference` is how its callbacks name it. */
export type Charge = {
  reference: string
  state: ChargeState
  pix: { qrCode: string } | null
  boleto: { line: string; barcode: string; pdfUrl: string | null } | null
  card: ChargeCard | null
}

/** The provider said no, and nothing happened there. */
export type Refused = { outcome: 'refused'; reason: string }

/**
 * Nobody knows whether it happened: ask later, never treat it as failed, never repeat it under another id. `isAway`: because
 * the provider did not answer.
 */
export type Unknown = { outcome: 'unknown'; reason: string; isAway?: boolean }

/**
 * Nobody took it and nothing happened there: the same may be asked again under its id. `isAway`: the provider did not answer
 * at all, where otherwise it only had no room for this call.
 */
export type Unavailable = { outcome: 'unavailable'; reason: string; isAway: boolean; retryAfterMs: number | null }

export type ChargeResult = { outcome: 'accepted'; charge: Charge } | Refused | Unavailable | Unknown
/** `missing`: the provider has never heard of it, so asking for it again is safe. */
export type ChargeLookup = { outcome: 'found'; charge: Charge } | { outcome: 'missing' } | Unknown

/** Names a charge to its provider; the reference is null while its answer was never seen. */
export type ChargeKey = { paymentId: string; reference: string | null }

/** An authorized charge to be taken: all of it, or less where the provider can. */
export type CaptureRequest = ChargeKey & { amount: Centavos }

/** Who must have a Pix key, by CPF or CNPJ. `name` is null where only the document is known. */
export type Holder = { name: string | null; document: string }

export type PayoutRequest = {
  /** The withdrawal's id: the payout's idempotency key. */
  withdrawalId: string
  sellerId: string
  amount: Centavos
  pixKeyType: 'cpf' | 'cnpj' | 'email' | 'phone' | 'evp'
  pixKey: string
  /** Whose the key must be, where it is known: a provider that can tell pays nobody else. */
  holder: Holder | null
  description: string | null
}

export type PayoutState =
  | { status: 'processing' }
  | { status: 'completed'; endToEndId: string | null }
  | { status: 'failed' | 'returned'; reason: string | null }

export type Payout = { reference: string; state: PayoutState }
export type PayoutResult = { outcome: 'accepted'; payout: Payout } | Refused | Unavailable | Unknown
export type PayoutLookup = { outcome: 'found'; payout: Payout } | { outcome: 'missing' } | Unknown
export type PayoutKey = { withdrawalId: string; reference: string | null }

export type RefundRequest = {
  /** Our refund's id: the idempotency key. */
  refundId: string
  sellerId: string
  charge: ChargeKey
  endToEndId: string | null
  amount: Centavos
  reason: string | null
}

export type RefundState =
  | { status: 'processing' }
  | { status: 'completed' }
  | { status: 'failed'; reason: string | null }
export type ProviderRefund = { reference: string; state: RefundState }
export type RefundResult = { outcome: 'accepted'; refund: ProviderRefund } | Refused | Unavailable | Unknown
/** Names a refund to its provider. */
export type RefundKey = { refundId: string; endToEndId: string | null }
export type RefundLookup = { outcome: 'found'; refund: ProviderRefund } | { outcome: 'missing' } | Unknown

/**
 * What a refund is of, where the provider tells: with it, one that we never asked for can be booked. Left out, the
 * refund must be one of ours.
 */
export type RefundBegun = { chargeReference: string; amount: Centavos; reason: string | null }

/** A card that a provider is to keep for charges to come. `cardId` is our name of it: the idempotency key. */
export type SaveCardRequest = { cardId: string; sellerId: string; customerId: string; cardToken: string }

/** A card as its provider keeps it. `token` names it in charges, as the one-time token of a card does. */
export type ProviderCard = { token: string; brand: string; last4: string; expMonth: number; expYear: number }

export type SaveCardResult = { outcome: 'accepted'; card: ProviderCard } | Refused | Unavailable | Unknown

/** Names a kept card to its provider; the token is null while its answer was never seen. */
export type SavedCardKey = { cardId: string; sellerId: string; token: string | null }
export type DeleteCardResult = { outcome: 'accepted' } | Refused | Unavailable | Unknown

/** What a dispute says; `chargeReference` names the charge that it is about. */
export type DisputeState =
  | {
      status: 'open'
      type: 'med' | 'chargeback'
      chargeReference: string
      amount: Centavos
      reason: string
      respondBy: Date
    }
  | { status: 'won' | 'lost' | 'canceled' }

/** A file that goes with a defence. `open` reads it from its beginning, each time. */
export type DefenseFile = { fileName: string; contentType: string; sizeBytes: number; open: () => Promise<Readable> }

/** A seller's answer to a dispute. The dispute's `reference` is its idempotency key: a dispute has one defence. */
export type DefenseRequest = { reference: string; text: string; files: readonly DefenseFile[] }

export type DefenseResult = { outcome: 'accepted' } | Refused | Unavailable | Unknown

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

/** The ways to pay that a provider charges by, and what each can do beside. */
export type ChargeMethods = Readonly<{
  pix?: Readonly<{ dueDate: boolean }>
  /** `dueTerms`: with fine, interest and discounts. */
  boleto?: Readonly<{ dueTerms: boolean }>
  credit_card?: Readonly<{ partialCapture: boolean }>
}>

export type ChargeCapability = {
  readonly methods: ChargeMethods
  /**
   * Makes a charge without any network, for those that need none (a code that anybody may pay at any time).
   * Undefined: this request needs `create`.
   */
  compose?(request: ChargeRequest): Charge | undefined
  /**
   * How the charge of a request that names itself (`Idempotency-Key`) is to be called; `name` is a hash of that, in 64
   * hexadecimal digits. A platform that was restored to before the request finds the charge under it when the request
   * comes again, instead of making a second one. Absent: the provider lets us choose nothing.
   */
  referenceOf?(name: string): string
  create(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>
  get(key: ChargeKey, signal: AbortSignal): Promise<ChargeLookup>
  /** Ends a charge that nobody has paid, or voids an authorization. */
  cancel(key: ChargeKey, signal: AbortSignal): Promise<ChargeResult>
  /** Takes the money of an authorized charge. Absent where there is nothing to authorize. */
  capture?(request: CaptureRequest, signal: AbortSignal): Promise<ChargeResult>
}

export type RefundCapability = {
  create(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>
  /** Absent: the provider cannot tell. */
  get?(key: RefundKey, signal: AbortSignal): Promise<RefundLookup>
}

export type PayoutCapability = {
  create(request: PayoutRequest, signal: AbortSignal): Promise<PayoutResult>
  get(key: PayoutKey, signal: AbortSignal): Promise<PayoutLookup>
}

export type SavedCardCapability = {
  save(request: SaveCardRequest, signal: AbortSignal): Promise<SaveCardResult>
  /** Forgets a card. One that it does not keep, or no longer, is accepted. */
  delete(key: SavedCardKey, signal: AbortSignal): Promise<DeleteCardResult>
}

/** Who shows the fields of a card: our own checkout, or a page of a seller's shop. */
export type CardFieldsPlace = 'checkout' | 'shop'

/**
 * Fields that a payer types a card into, as a page of the provider on an origin of its own, to be shown in a frame. It speaks
 * the messages of docs/checkout.md, and the card goes from there to the provider alone.
 */
export type CardFieldsCapability = {
  /** Undefined: not at this moment. */
  url(language: Language, place: CardFieldsPlace): string | undefined
}

export type DisputeCapability = {
  defend(request: DefenseRequest, signal: AbortSignal): Promise<DefenseResult>
}

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
