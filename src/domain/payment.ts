import { allows, type Transitions } from './lifecycle.ts'
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
const transitions = {
  created: ['pending', 'processing', 'authorized', 'paid', 'failed', 'canceled', 'expired'],
  pending: ['processing', 'authorized', 'paid', 'failed', 'canceled', 'expired'],
  processing: ['authorized', 'paid', 'failed'],
  authorized: ['paid', 'canceled', 'expired', 'failed'],
  paid: ['partially_refunded', 'refunded', 'in_dispute'],
  partially_refunded: ['partially_refunded', 'refunded', 'in_dispute', 'paid'],
  in_dispute: ['paid', 'partially_refunded', 'refunded', 'charged_back'],
  expired: ['paid'],
  canceled: ['paid'],
  refunded: ['partially_refunded'],
  charged_back: ['partially_refunded', 'paid'],
  failed: [],
} as const satisfies Transitions<PaymentStatus>

export const canMovePayment = (from: PaymentStatus, to: PaymentStatus): boolean => allows(transitions, from, to)

/** Where a payment stands that was paid, by how much of it went back to the payer. */
export const paidStatus = (
  paidAmount: Centavos,
  refundedAmount: Centavos,
): 'paid' | 'partially_refunded' | 'refunded' => {
  if (refundedAmount === 0) return 'paid'
  return refundedAmount < paidAmount ? 'partially_refunded' : 'refunded'
}
