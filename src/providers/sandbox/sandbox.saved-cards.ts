import type { StatusReasonCode } from '../../domain/status-reasons.ts'
import type { ChargeCard, SavedCardCapability } from '../provider.port.ts'
import { cardBehind, isCardToken } from './sandbox.cards.ts'
import { sandboxReference } from './sandbox.ids.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'

const UNKNOWN: StatusReasonCode = 'card_token_unknown'
const REFERENCE = /^tok_[a-z]+_saved_([0-9a-f]{32})_/

const twoDigits = (number: number): string => String(number % 100).padStart(2, '0')

// Whatever decides the outcome of a token stands at its end, and so it does here.
const tokenOf = (reference: string, { brand, last4, expMonth, expYear }: Omit<ChargeCard, 'authorizationCode'>) =>
  `tok_${brand}_saved_${reference}_${twoDigits(expMonth)}${twoDigits(expYear)}_${last4}`

/** The simulated acquirer's own record of the card behind a token; undefined for a token that is no saved card's. */
export const savedReference = (token: string): string | undefined => REFERENCE.exec(token)?.[1]

/** Keeps the cards of the simulated acquirer. What is charged with one ends as it does with the token that it was saved from. */
export const createSandboxSavedCards = ({ transact, clock }: SandboxDependencies): SavedCardCapability => ({
  async save({ cardId, cardToken }) {
    if (!isCardToken(cardToken) || savedReference(cardToken) !== undefined) {
      return { outcome: 'refused', reason: UNKNOWN }
    }
    const now = clock.now()
    const reference = sandboxReference(cardId)
    const { authorizationCode: _, ...card } = cardBehind(cardToken, now)
    const isKept = await transact(async (tx) => {
      await tx.sandbox.insertCardOnce(reference, now)
      return tx.sandbox.hasCard(reference)
    })
    if (!isKept) return { outcome: 'refused', reason: UNKNOWN }
    return { outcome: 'accepted', card: { ...card, token: tokenOf(reference, card) } }
  },

  async delete({ cardId }) {
    await transact((tx) => tx.sandbox.deleteCard(sandboxReference(cardId), clock.now()))
    return { outcome: 'accepted' }
  },
})
