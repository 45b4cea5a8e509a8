import { lifecycle } from './lifecycle.ts'
import { type Centavos, subtract } from './money.ts'
import type { PaymentMethod } from './payment.ts'

export const REFUND_STATUSES = ['processing', 'completed', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** Who began a refund: the seller, or the provider's side without our asking. */
export const REFUND_ORIGINS = ['seller', 'provider'] as const
export type RefundOrigin = (typeof REFUND_ORIGINS)[number]

export const refundLifecycle = lifecycle<RefundStatus>('refund', {
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
})

const DAY_MS = 86_400_000
/** A Pix can be returned for 90 days after it was settled (Regulamento do Pix, devolução). */
const PIX_REFUND_DAYS = 90

/** Whether a method has a way back to whoever paid. A boleto has none: it is paid in cash or by anybody's bank. */
export const isRefundable = (method: PaymentMethod): boolean => method !== 'boleto'

/** Whether the time in which a payment's method takes refunds has passed. Acquirers of cards judge it themselves. */
export const isTooLateToRefund = (method: PaymentMethod, paidAt: Date, now: Date): boolean =>
  method === 'pix' && now.getTime() > paidAt.getTime() + PIX_REFUND_DAYS * DAY_MS

type Paid = { paidAmount: Centavos; refundedAmount: Centavos }

/** What of a payment has neither gone back to the payer nor is on its way there. */
export const leftOf = ({ paidAmount, refundedAmount }: Paid, processingAmount: Centavos): Centavos =>
  subtract(paidAmount, refundedAmount, processingAmount)
