import { lifecycle } from './lifecycle.ts'
import type { Centavos } from './money.ts'

export const PAYMENT_METHODS = ['pix', 'boleto', 'credit_card'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const PAYMENT_STATUSES = [
  'created',
  'pending',
  'processing',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'in_dispute',
  'charged_back',
  'expired',
  'canceled',
  'failed',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * Every way a payment may go. A confirmation may overtake our own writes (`created → paid`) and come late
 * (`expired → paid`, `canceled → paid`): the money is there, so it wins. A dispute that the clock gave to the payer may be
 * won after all, and then its money counts as paid again. Nothing else goes back.
 */
export const paymentLifecycle = lifecycle<PaymentStatus>('payment', {
  created: ['pending', 'processing', 'authorized', 'paid', 'failed', 'canceled', 'expired'],
  pending: ['processing', 'authorized', 'paid', 'failed', 'canceled', 'expired'],
  processing: ['authorized', 'paid', 'failed'],
  authorized: ['paid', 'canceled', 'expired', 'failed'],
  paid: ['partially_refunded', 'refunded', 'in_dispute'],
  partially_refunded: ['partially_refunded', 'refunded', 'charged_back', 'in_dispute', 'paid'],
  in_dispute: ['paid', 'partially_refunded', 'refunded', 'charged_back'],
  expired: ['paid'],
  canceled: ['paid'],
  refunded: ['partially_refunded'],
  charged_back: ['partially_refunded', 'paid'],
  failed: [],
})

/** What of a payment went back to the payer: all of it, and how much of that by lost disputes. */
export type GoneBack = { refundedAmount: Centavos; lostAmount: Centavos }

/**
 * Where a payment stands that was paid, by how much of it went back. All of it is `charged_back` where a dispute took
 * part of it, whichever came first.
 */
export const paidStatus = (
  paidAmount: Centavos,
  { refundedAmount, lostAmount }: GoneBack,
): 'paid' | 'partially_refunded' | 'refunded' | 'charged_back' => {
  if (refundedAmount === 0) return 'paid'
  if (refundedAmount < paidAmount) return 'partially_refunded'
  return lostAmount > 0 ? 'charged_back' : 'refunded'
}
