import { centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import type { ReserveHold } from './reserve-holds.repository.ts'
import { releasedHoldResponse, reserveHoldResponse } from './reserves.schemas.ts'
import { releasedHoldView, reserveHoldView } from './reserves.view.ts'

const HELD_AT = new Date('2026-11-21T13:05:58.120Z')
const RELEASED_AT = new Date('2026-12-21T03:00:04.215Z')

const held: ReserveHold = {
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  id: '01939f3e-6666-7b1e-9d6a-3f5b8c2d1e00',
  method: 'pix' as const,
  paymentId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  amount: centavos(990),
  releasedAmount: ZERO,
  consumedAmount: ZERO,
  status: 'held',
  heldAt: HELD_AT,
  releaseAt: new Date('2026-12-21T03:00:00.000Z'),
  createdAt: HELD_AT,
  updatedAt: HELD_AT,
}

/** Every event of a reserve, as the code that sends it makes it. */
export const reserveEvents: EventEntries<Extract<EventType, `reserve.${string}`>> = {
  'reserve.held': {
    description: 'A part of a payment is held back until `releaseAt`.',
    data: { name: 'ReserveHoldEventData', schema: reserveHoldResponse },
    example: reserveHoldView(held),
    happenedAt: HELD_AT,
  },
  'reserve.released': {
    description: 'What was held back and not used up by a refund or dispute is available now, on its day or before it.',
    data: { name: 'ReleasedHoldEventData', schema: releasedHoldResponse },
    example: releasedHoldView(held, 'due', RELEASED_AT),
    happenedAt: RELEASED_AT,
  },
}
