import type { Centavos } from '../../domain/money.ts'
import type { ChargeKey } from './charges.ts'
import type { Refused, Unavailable, Unknown } from './outcomes.ts'

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

export type RefundCapability = {
  create(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>
  /** Absent: the provider cannot tell. */
  get?(key: RefundKey, signal: AbortSignal): Promise<RefundLookup>
}
