import { allows, type Transitions } from './lifecycle.ts'

export const PAYMENT_LINK_STATUSES = ['active', 'inactive', 'expired', 'completed', 'deleted'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]

/** An expired or completed link becomes active again only by an edit of its limit. */
const transitions = {
  active: ['inactive', 'expired', 'completed', 'deleted'],
  inactive: ['active', 'expired', 'completed', 'deleted'],
  expired: ['active', 'deleted'],
  completed: ['active', 'deleted'],
  deleted: [],
} as const satisfies Transitions<PaymentLinkStatus>

export const canMovePaymentLink = (from: PaymentLinkStatus, to: PaymentLinkStatus): boolean =>
  allows(transitions, from, to)
