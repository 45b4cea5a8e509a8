import { defineErrors } from '../../errors.ts'

export const paymentLinkErrors = defineErrors('payment_link', {
  not_found: [404, 'No payment link is here.'],
  deleted: [410, 'This payment link was deleted. Ask whoever sent it for a new one.'],
  inactive: [409, 'This payment link takes no payments right now.'],
  expired: [409, 'This payment link has expired.'],
  completed: [409, 'This payment link has received all the payments it takes.'],
  slots_taken: [409, 'Others are paying all that this payment link still takes. Try again later: one of them may not.'],
  amount_changed: [409, 'The amount of this payment link is another one now. Look at it again before you pay.'],
  limit_too_low: [422, 'More payments than that are paid or may still be. Choose a higher maxPayments.'],
})
