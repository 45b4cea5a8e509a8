import { SAVED_CARDS_MAX } from '../../domain/saved-card.ts'
import { defineErrors } from '../../errors.ts'

export const savedCardErrors = defineErrors('card', {
  not_found: [404, 'This customer has no saved card with this id.'],
  expired: [422, 'This card has expired. Ask the payer for another one.'],
  token_refused: [422, 'The provider does not keep this card. Make a new token, or ask the payer for another card.'],
  limit_reached: [422, `A customer has at most ${SAVED_CARDS_MAX} saved cards. Delete one first.`],
  saving_unavailable: [422, 'The provider of cards keeps none. Charge each payment with a token of its own.'],
})
