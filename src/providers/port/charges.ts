import type { DueTerms, PaidParts } from '../../domain/due-terms.ts'
import type { Centavos } from '../../domain/money.ts'
import type { Refused, Unavailable, Unknown } from './outcomes.ts'

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

export type ChargeResult = { outcome: 'accepted'; charge: Charge } | Refused | Unavailable | Unknown

/** `missing`: the provider has never heard of it, so asking for it again is safe. */
export type ChargeLookup = { outcome: 'found'; charge: Charge } | { outcome: 'missing' } | Unknown

/** Names a charge to its provider; the reference is null while its answer was never seen. */
export type ChargeKey = { paymentId: string; reference: string | null }

/** An authorized charge to be taken: all of it, or less where the provider can. */
export type CaptureRequest = ChargeKey & { amount: Centavos }

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
