import { defineErrors } from '../../errors.ts'

export const adjustmentErrors = defineErrors('adjustment', {
  not_found: [404, 'No adjustment has this id.'],
  seller_not_found: [422, 'No seller has this sellerId.'],
  exceeds_debt: [422, 'The amount is more than this seller owes. Write off at most what the available balance lacks.'],
  exceeds_loss: [422, 'The amount is more than was written off of this seller and not recovered since.'],
  balance_insufficient: [
    422,
    'The available balance does not cover this. Take less, or send allowNegative, which makes the seller owe the rest.',
  ],
})
