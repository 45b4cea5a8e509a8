import { defineErrors } from '../../errors.ts'

export const reconciliationErrors = defineErrors('reconciliation', {
  not_found: [404, 'No reconciliation has this id.'],
  no_statement: [
    422,
    'This provider gives no statement, or there is none of that name. Hand its file in at POST /admin/provider-statements.',
  ],
  provider_unknown: [422, 'No provider of this platform has this name.'],
  day_not_over: [422, 'Only a day of São Paulo that is over is reconciled.'],
})

export const exceptionErrors = defineErrors('reconciliation_exception', {
  not_found: [404, 'No exception has this id.'],
  not_open: [409, 'This exception is resolved. It opens again by itself when the facts change.'],
  balance_insufficient: [
    422,
    'The available balance does not cover this. Write it off, or send allowNegative, which makes the seller owe the rest.',
  ],
  not_refundable: [
    422,
    'Only money that came in beyond what the books have goes back to a payer, at a provider that gives refunds. Adjust it, or write it off.',
  ],
  going_back: [409, 'This Pix is already on its way back to its payer, or there.'],
  no_seller: [422, 'It is not known whose money this is, so it adjusts nobody’s balance. Write it off, or explain it.'],
})
