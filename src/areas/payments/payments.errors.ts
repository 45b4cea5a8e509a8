import { defineErrors } from '../../errors.ts'

export const paymentErrors = defineErrors('payment', {
  not_found: [404, 'No payment has this id.'],
  not_cancelable: [409, 'This payment can no longer be canceled. Refund it if it was paid.'],
  not_capturable: [409, 'Only an authorized card payment can be captured.'],
  no_qr_code: [409, 'Only a Pix payment has a QR code.'],
  provider_unavailable: [503, 'The payment provider did not answer in time. Nothing is lost: ask again shortly.'],
})

export const sellerErrors = defineErrors('seller', {
  not_approved: [403, 'This seller is not approved yet, so it cannot receive payments.'],
})

export const payingCustomerErrors = defineErrors('customer', {
  not_found: [404, 'No customer has this id.'],
})
