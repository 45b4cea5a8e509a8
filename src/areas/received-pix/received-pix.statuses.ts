import { lifecycle } from '../../domain/lifecycle.ts'

export const RECEIVED_PIX_STATUSES = ['booked', 'open', 'refunding', 'refunded', 'explained'] as const

/**
 * Where money that came in by Pix has ended: in the books as a payment, `open` for an administrator to decide about, on its
 * way back to the payer or there, or explained.
 */
export type ReceivedPixStatus = (typeof RECEIVED_PIX_STATUSES)[number]

/** What came too early for its charge is booked later. A refund that the PSP could not make is decided again. */
export const receivedPixLifecycle = lifecycle<ReceivedPixStatus>('received Pix', {
  open: ['booked', 'refunding', 'explained'],
  refunding: ['refunded', 'open'],
  booked: [],
  refunded: [],
  explained: [],
})
