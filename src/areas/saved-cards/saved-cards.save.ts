import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import type { Outcome } from '../../db/coalesce.ts'
import type { Actor } from '../../domain/actor.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { isCardExpired, SAVED_CARDS_MAX } from '../../domain/saved-card.ts'
import { AppError } from '../../errors.ts'
import { refusalRecord, successRecord } from '../../idempotency/answers.ts'
import { type Admitted, type FirstAnswer, type Idempotency, openRequests } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderCard } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import { customerErrors } from '../customers/customers.errors.ts'
import { providerAway } from '../payments/payments.errors.ts'
import { savedCardErrors } from './saved-cards.errors.ts'
import type { ActiveCard, SavedCardRow } from './saved-cards.repository.ts'
import type { SaveCardBody } from './saved-cards.schemas.ts'
import { type SavedCardView, savedCardView } from './saved-cards.view.ts'

export type SavingDependencies = {
  transact: Transact
  providers: ProviderRegistry
  secretBox: Pick<SecretBox, 'seal'>
  clock: Clock
  /** Real time, for leases. */
  wallClock: Clock
  newId: NewId
}

/** How long the process that asks the provider has, before a repeat of the request may go on with it. Real time. */
const LEASE_MS = 30_000

type Asked = { actor: Actor; customerId: string; body: SaveCardBody; idempotency: Idempotency | undefined }

/** What there is to be done: nothing but an answer, or a card for the provider to keep, unless it was refused. */
type Begun = { next: 'answer'; view: SavedCardView } | { next: 'save'; drafted: Outcome<SavedCardRow> }

const NOT_YET = {
  ...{ tokenSealed: null, brand: null, last4: null, expMonth: null, expYear: null },
  lastAttemptAt: null,
} as const

// Our refusals are made before anything is written, so that they can be kept in the transaction that makes them.
const refusable = async (work: Promise<SavedCardRow>): Promise<Outcome<SavedCardRow>> => {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error }
    throw error
  }
}

const refusalOf = (reason: string): AppError =>
  reason === 'card_expired' ? savedCardErrors.expired() : savedCardErrors.token_refused()

const createBeginning = ({ transact, providers, clock, wallClock, newId }: SavingDependencies) => {
  const draft = async (tx: Repositories, { actor: { sellerId }, customerId, body }: Asked): Promise<SavedCardRow> => {
    // Locked: of two that save at once each counts the other's, and nobody is erased meanwhile.
    if (!(await tx.customers.lock(sellerId, customerId))) throw customerErrors.not_found()
    const provider = providers.routes.credit_card
    if (provider?.savedCards === undefined) throw savedCardErrors.saving_unavailable()
    if ((await tx.savedCards.countOf(sellerId, customerId)) >= SAVED_CARDS_MAX) throw savedCardErrors.limit_reached()
    const now = clock.now()
    const card: SavedCardRow = {
      ...{ sellerId, id: newId(), customerId, provider: provider.name, status: 'saving', ...NOT_YET },
      ...{ consentedAt: now, consentTextVersion: body.consentTextVersion ?? null, createdAt: now, updatedAt: now },
    }
    await tx.savedCards.insert(card)
    return card
  }

  // What an attempt has left whose process has died, or which the provider did not answer.
  const leftBy = async (tx: Repositories, { resourceId: id }: Admitted, { actor: { sellerId } }: Asked) =>
    id === null ? undefined : tx.savedCards.findSaving({ sellerId, id })

  const answerOf = ({ id }: SavedCardRow): FirstAnswer => {
    const leasedUntil = new Date(wallClock.now().getTime() + LEASE_MS)
    return { state: 'running', resourceId: id, leasedUntil }
  }

  return (asked: Asked): Promise<Begun> =>
    transact(async (tx) => {
      const times = { now: clock.now(), wallNow: wallClock.now() }
      const requests = await openRequests(tx.idempotency, [asked.idempotency], times)
      const [admitted] = requests.admitted
      if (admitted === undefined) return { next: 'answer', view: requests.answerOf<SavedCardView>(0) }
      const drafted = await refusable(leftBy(tx, admitted, asked).then((left) => left ?? draft(tx, asked)))
      await requests.keep([drafted.ok ? { ok: true, value: answerOf(drafted.value) } : drafted])
      return { next: 'save', drafted }
    })
}

const createOutcomes = ({ transact, secretBox, clock, wallClock }: SavingDependencies) => ({
  /** A repeat of the request then goes on with the card that is there. */
  async comeAgain({ idempotency }: Asked, retryAfterMs: number | null): Promise<Error> {
    if (idempotency) await transact((tx) => tx.idempotency.updateLease(idempotency, wallClock.now()))
    return providerAway(retryAfterMs)
  },

  /** `deleting`: the provider keeps it all the same, and is to forget it. */
  async refuse(card: SavedCardRow, to: 'deleted' | 'deleting', { idempotency }: Asked, error: AppError) {
    await transact(async (tx) => {
      const now = clock.now()
      await tx.savedCards.move(card, 'saving', to, { updatedAt: now })
      if (idempotency) await tx.idempotency.put(refusalRecord(idempotency, error, now))
    })
    return error
  },

  async keep(card: SavedCardRow, kept: ProviderCard, { actor, idempotency }: Asked): Promise<SavedCardView> {
    const view = await transact(async (tx) => {
      const now = clock.now()
      const { token, ...shown } = kept
      const tokenSealed = secretBox.seal(token)
      const saved = await tx.savedCards.move(card, 'saving', 'active', { ...shown, tokenSealed, updatedAt: now })
      // The customer was erased meanwhile: what the provider keeps is forgotten by this name.
      if (saved === undefined) return tx.savedCards.updateToken(card, tokenSealed)
      const { sellerId, customerId, provider, consentTextVersion } = saved
      const target = { targetType: 'customer', targetId: customerId, sellerId }
      const after = { cardId: saved.id, provider, consentTextVersion }
      await tx.audit.add({ actor, action: 'customer.save_card', ...target, after }, now)
      const shownCard = savedCardView(saved as ActiveCard)
      if (idempotency) await tx.idempotency.put(successRecord(idempotency, shownCard, now))
      return shownCard
    })
    if (view === undefined) throw customerErrors.not_found()
    return view
  },
})

/**
 * Has a provider keep a card: the intent is written, the provider asked while no transaction is open, and what it said
 * written. A repeat under the same key goes on with the same card; one that nobody comes back for is deleted by a job.
 */
export const createSaveCard = (dependencies: SavingDependencies) => {
  const { providers, clock } = dependencies
  const begin = createBeginning(dependencies)
  const { comeAgain, refuse, keep } = createOutcomes(dependencies)

  const ask = async (card: SavedCardRow, asked: Asked): Promise<SavedCardView> => {
    const keeper = providers.find(card.provider)?.savedCards
    if (keeper === undefined) throw await comeAgain(asked, null)
    const { sellerId, id: cardId, customerId } = card
    const result = await keeper.save({ cardId, sellerId, customerId, cardToken: asked.body.cardToken })
    if (result.outcome === 'unknown') throw await comeAgain(asked, null)
    if (result.outcome === 'unavailable') throw await comeAgain(asked, result.retryAfterMs)
    if (result.outcome === 'refused') throw await refuse(card, 'deleted', asked, refusalOf(result.reason))
    if (isCardExpired(result.card, saoPauloDate(clock.now()))) {
      throw await refuse(card, 'deleting', asked, savedCardErrors.expired())
    }
    return keep(card, result.card, asked)
  }

  /**
   * Throws customer.not_found, card.saving_unavailable, card.limit_reached, card.token_refused, card.expired and
   * payment.provider_unavailable.
   */
  return async (asked: Asked): Promise<SavedCardView> => {
    const begun = await begin(asked)
    if (begun.next === 'answer') return begun.view
    if (!begun.drafted.ok) throw begun.drafted.error
    return ask(begun.drafted.value, asked)
  }
}
