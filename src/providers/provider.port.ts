import type { Readable } from 'node:stream'
import type { Centavos } from '../domain/money.ts'

/** Who pays, as far as the seller told. */
export type Payer = { name: string; document: string | null; email: string | null; phone: string | null }

type ChargeMethod =
  | { method: 'pix'; expiresAt: Date }
  /** `dueDate` is a São Paulo date. */
  | { method: 'boleto'; dueDate: string }
  | { method: 'credit_card'; cardToken: string; installments: number; capture: boolean }

/** A charge to be made. `paymentId` is its idempotency key: the same id never makes a second charge. */
export type ChargeRequest = {
  paymentId: string
  amount: Centavos
  description: string | null
  payer: Payer | null
  requestedAt: Date
} & ChargeMethod

/** Where a charge stands. `paidAmount` is all that was paid on it, which may differ from what was asked. */
export type ChargeState =
  | { status: 'pending' | 'processing' | 'authorized' }
  | { status: 'paid'; paidAmount: Centavos; endToEndId: string | null }
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

/** Nobody knows whether it happened: ask later, never treat it as failed, never repeat it under another id. */
export type Unknown = { outcome: 'unknown'; reason: string }

export type ChargeResult = { outcome: 'accepted'; charge: Charge } | Refused | Unknown
/** `missing`: the provider has never heard of it, so asking for it again is safe. */
export type ChargeLookup = { outcome: 'found'; charge: Charge } | { outcome: 'missing' } | Unknown

/** Names a charge to its provider; the reference is null while its answer was never seen. */
export type ChargeKey = { paymentId: string; reference: string | null }

export type PayoutRequest = {
  /** The withdrawal's id: the payout's idempotency key. */
  withdrawalId: string
  amount: Centavos
  pixKeyType: 'cpf' | 'cnpj' | 'email' | 'phone' | 'evp'
  pixKey: string
  description: string | null
}

export type PayoutState =
  | { status: 'processing' }
  | { status: 'completed'; endToEndId: string | null }
  | { status: 'failed' | 'returned'; reason: string | null }

export type Payout = { reference: string; state: PayoutState }
export type PayoutResult = { outcome: 'accepted'; payout: Payout } | Refused | Unknown
export type PayoutLookup = { outcome: 'found'; payout: Payout } | { outcome: 'missing' } | Unknown
export type PayoutKey = { withdrawalId: string; reference: string | null }

export type RefundRequest = {
  /** Our refund's id: the idempotency key. */
  refundId: string
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
export type RefundResult = { outcome: 'accepted'; refund: ProviderRefund } | Refused | Unknown
export type RefundLookup = { outcome: 'found'; refund: ProviderRefund } | { outcome: 'missing' } | Unknown

/**
 * What a refund is of, where the provider tells: with it, one that we never asked for can be booked. Left out, the
 * refund must be one of ours.
 */
export type RefundBegun = { chargeReference: string; amount: Centavos; reason: string | null }

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

export type DefenseResult = { outcome: 'accepted' } | Refused | Unknown

/** One thing that a callback tells us. `reference` is the provider's name of the charge, payout, refund or dispute. */
export type Notice =
  | { kind: 'charge'; reference: string; state: ChargeState }
  | { kind: 'payout'; reference: string; state: PayoutState }
  | { kind: 'refund'; reference: string; state: RefundState; begun?: RefundBegun | undefined }
  | { kind: 'dispute'; reference: string; state: DisputeState }

export type NoticeKind = Notice['kind']

/** A callback as it came in: header names in lower case, the body untouched. */
export type Callback = { headers: Readonly<Record<string, string | string[] | undefined>>; body: string }

/**
 * A payment provider in our words. Every promise settles before `signal` aborts or soon after; an adapter that cannot
 * tell what happened answers `unknown`. No method throws for something that the provider said.
 */
export type PaymentProvider = {
  readonly name: string
  /**
   * Makes a charge without any network, for those that need none (a code that anybody may pay at any time).
   * Undefined: this request needs `createCharge`.
   */
  composeCharge?(request: ChargeRequest): Charge | undefined
  createCharge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>
  getCharge(key: ChargeKey, signal: AbortSignal): Promise<ChargeLookup>
  /** Ends a charge that nobody has paid, or voids an authorization. */
  cancelCharge(key: ChargeKey, signal: AbortSignal): Promise<ChargeResult>
  /** Takes the money of an authorized charge, all of it. */
  captureCharge(key: ChargeKey, signal: AbortSignal): Promise<ChargeResult>
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>
  getRefund?(refundId: string, signal: AbortSignal): Promise<RefundLookup>
  /** Absent: the provider takes no defences by its API. */
  submitDefense?(request: DefenseRequest, signal: AbortSignal): Promise<DefenseResult>
  createPayout(request: PayoutRequest, signal: AbortSignal): Promise<PayoutResult>
  getPayout(key: PayoutKey, signal: AbortSignal): Promise<PayoutLookup>
  /** Whether a callback comes from the provider. */
  authenticateCallback(callback: Callback): boolean
  /**
   * What a callback's body says. It is read when it is processed, which may be long after it came in: the headers that
   * proved its origin are gone by then. Throws UnreadableCallbackError for a body it does not understand.
   */
  parseCallback(body: string): readonly Notice[]
}

/** An authentic callback that makes no sense. It is kept, visible, for a person to look at. */
export class UnreadableCallbackError extends Error {
  override readonly name = 'UnreadableCallbackError'
}
