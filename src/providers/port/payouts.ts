import type { Centavos } from '../../domain/money.ts'
import type { Refused, Unavailable, Unknown } from './outcomes.ts'

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

export type PayoutCapability = {
  create(request: PayoutRequest, signal: AbortSignal): Promise<PayoutResult>
  get(key: PayoutKey, signal: AbortSignal): Promise<PayoutLookup>
}
