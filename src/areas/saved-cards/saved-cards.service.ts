import type { FastifyBaseLogger } from 'fastify'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { type ListResponse, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { Reads } from '../../repositories.ts'
import { customerErrors } from '../customers/customers.errors.ts'
import { savedCardErrors } from './saved-cards.errors.ts'
import { createForgetCards } from './saved-cards.forget.ts'
import { createSaveCard, type SavingDependencies } from './saved-cards.save.ts'
import type { SaveCardBody, SavedCardsQuery } from './saved-cards.schemas.ts'
import { type SavedCardView, savedCardView } from './saved-cards.view.ts'

type Dependencies = SavingDependencies & {
  read: Pick<Reads, 'customers' | 'savedCards'>
  secretBox: SecretBox
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Has providers told now instead of with the next round of the jobs. Never throws. */
  forgetCardsSoon: () => Promise<void>
}

/** Cards that a provider keeps for the customers of a seller. */
export const createSavedCardsService = (dependencies: Dependencies) => {
  const { read, transact, clock, forgetCardsSoon } = dependencies
  const saveCard = createSaveCard(dependencies)

  const checkCustomer = async ({ sellerId }: Actor, customerId: string): Promise<void> => {
    if ((await read.customers.find(sellerId, customerId)) === undefined) throw customerErrors.not_found()
  }

  return {
    save: (
      actor: Actor,
      customerId: string,
      body: SaveCardBody,
      idempotency: Idempotency | undefined,
    ): Promise<SavedCardView> => saveCard({ actor, customerId, body, idempotency }),

    /** Throws customer.not_found. */
    async list(actor: Actor, customerId: string, { page }: SavedCardsQuery): Promise<ListResponse<SavedCardView>> {
      await checkCustomer(actor, customerId)
      return toListResponse(await read.savedCards.list(actor.sellerId, customerId, page), page, savedCardView)
    },

    /** Throws customer.not_found and card.not_found. */
    async get(actor: Actor, customerId: string, id: string): Promise<SavedCardView> {
      await checkCustomer(actor, customerId)
      const card = await read.savedCards.find({ sellerId: actor.sellerId, customerId, id })
      if (card === undefined) throw savedCardErrors.not_found()
      return savedCardView(card)
    },

    /** Ends a card; the provider is told afterwards, by a job. Twice is once. Throws customer.not_found and card.not_found. */
    async remove(actor: Actor, customerId: string, id: string): Promise<void> {
      await checkCustomer(actor, customerId)
      const { sellerId } = actor
      const key = { sellerId, customerId, id }
      await transact(async (tx) => {
        const now = clock.now()
        if (await tx.savedCards.delete(key, now)) {
          const target = { targetType: 'customer', targetId: customerId, sellerId }
          await tx.audit.add({ actor, action: 'customer.delete_card', ...target, before: { cardId: id } }, now)
        } else if (!(await tx.savedCards.wasDeleted(key))) throw savedCardErrors.not_found()
      })
      await forgetCardsSoon()
    },

    jobs: { forgetCards: createForgetCards(dependencies) },
  }
}

export type SavedCardsService = ReturnType<typeof createSavedCardsService>
