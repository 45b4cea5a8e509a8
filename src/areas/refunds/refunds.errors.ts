import { defineErrors } from '../../errors.ts'

export const refundErrors = defineErrors('refund', {
  payment_not_refundable: [409, 'Only a payment that was paid, and not all of which went back, can be refunded.'],
  payment_in_dispute: [409, 'This payment is in dispute. It can be refunded when the dispute has ended.'],
  method_not_refundable: [
    422,
    'A boleto has no way back to its payer: send the money by Pix, with a withdrawal, to the key that the payer gives.',
  ],
  too_late: [422, 'A Pix can be refunded for 90 days after it was paid.'],
  amount_exceeds_payment: [422, 'More than what is left of the payment after its other refunds.'],
})

/** What POST /payments/{id}/refunds refuses. */
export const REQUEST_ERRORS = [
  'payment.not_found',
  'idempotency.key_required',
  'refund.payment_not_refundable',
  'refund.payment_in_dispute',
  'refund.method_not_refundable',
  'refund.too_late',
  'refund.amount_exceeds_payment',
  'balance.insufficient',
] as const
