import { type AppError, defineErrors } from '../../errors.ts'

export const paymentErrors = defineErrors('payment', {
  not_found: [404, 'No payment has this id.'],
  not_cancelable: [409, 'This payment can no longer be canceled. Refund it if it was paid.'],
  capture_exceeds_amount: [422, 'No more can be captured than was authorized.'],
  partial_capture_unavailable: [422, 'The provider of this payment captures all of it or nothing.'],
  not_capturable: [409, 'Only an authorized card payment can be captured.'],
  no_qr_code: [409, 'Only a Pix payment has a QR code.'],
  no_boleto: [409, 'This payment has no boleto, or its provider has not made it yet.'],
  method_unavailable: [422, 'No provider of this platform takes payments by this method. Use another method.'],
  due_terms_unavailable: [
    422,
    'The provider of this method takes no fine, interest or discounts, and no Pix with a due date.',
  ],
  provider_unavailable: [503, 'The payment provider did not answer in time. Nothing is lost: ask again shortly.'],
})

const RETRY_AFTER_MS = 5_000

/** payment.provider_unavailable, with when to ask again: as the provider said, or soon. */
export const providerAway = (retryAfterMs: number | null): AppError => {
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? RETRY_AFTER_MS) / 1_000))
  return paymentErrors.provider_unavailable({ headers: { 'retry-after': String(seconds) } })
}

export const sellerErrors = defineErrors('seller', {
  not_approved: [403, 'This seller is not approved yet, so it cannot receive payments.'],
})

export const payingCustomerErrors = defineErrors('customer', {
  not_found: [404, 'No customer has this id.'],
})
