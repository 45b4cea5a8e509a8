import type { Language } from '../../domain/language.ts'
import type { Refused, Unavailable, Unknown } from './outcomes.ts'

/** A card that a provider is to keep for charges to come. `cardId` is our name of it: the idempotency key. */
export type SaveCardRequest = { cardId: string; sellerId: string; customerId: string; cardToken: string }

/** A card as its provider keeps it. `token` names it in charges, as the one-time token of a card does. */
export type ProviderCard = { token: string; brand: string; last4: string; expMonth: number; expYear: number }

export type SaveCardResult = { outcome: 'accepted'; card: ProviderCard } | Refused | Unavailable | Unknown

/** Names a kept card to its provider; the token is null while its answer was never seen. */
export type SavedCardKey = { cardId: string; sellerId: string; token: string | null }

export type DeleteCardResult = { outcome: 'accepted' } | Refused | Unavailable | Unknown

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
