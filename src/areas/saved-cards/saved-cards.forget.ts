import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { eachApart } from '../../each-apart.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Transact } from '../../repositories.ts'
import type { SavedCardRow } from './saved-cards.repository.ts'

const BATCH_MAX = 50
/** How long a provider that did not answer is left alone. Longer than any call to it may take. */
const RETRY_MS = 60_000
/** For how long a repeat of the request may go on with a card whose saving was left off. */
const ABANDONED_MS = 600_000

type Dependencies = {
  transact: Transact
  providers: ProviderRegistry
  secretBox: Pick<SecretBox, 'open'>
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

const UNSERVED = { outcome: 'refused', reason: 'provider_not_configured' } as const

/** The job that has providers forget the cards that were deleted, told again until they have. */
export const createForgetCards = ({ transact, providers, secretBox, clock, logger }: Dependencies) => {
  const forget = async (card: SavedCardRow): Promise<void> => {
    const { sellerId, id: cardId, tokenSealed } = card
    const token = tokenSealed === null ? null : secretBox.open(tokenSealed)
    const result = (await providers.find(card.provider)?.savedCards?.delete({ cardId, sellerId, token })) ?? UNSERVED
    if (result.outcome === 'refused') {
      return logger.error({ cardId, reason: result.reason }, 'a provider does not forget a card')
    }
    if (result.outcome !== 'accepted') {
      return logger.warn({ cardId, reason: result.reason }, 'a provider may not have forgotten a card yet')
    }
    const changes = { tokenSealed: null, updatedAt: clock.now() }
    await transact((tx) => tx.savedCards.move(card, 'deleting', 'deleted', changes))
  }

  return {
    /** Tells providers of one batch. Answers how many; what was not answered is due a minute later. */
    async runOnce(): Promise<number> {
      const now = clock.now()
      const ago = (ms: number): Date => new Date(now.getTime() - ms)
      const cards = await transact(async (tx) => {
        await tx.savedCards.deleteAbandoned(ago(ABANDONED_MS), now)
        return tx.savedCards.claimDeleted(BATCH_MAX, { now, retryBefore: ago(RETRY_MS) })
      })
      await eachApart(cards, forget, 'cards could not be forgotten')
      return cards.length
    },
  }
}
