import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { sellerStateResponse } from './users.schemas.ts'
import { sellerStateView } from './users.view.ts'

const BLOCKED_AT = new Date('2026-11-22T09:14:03.220Z')
const UNBLOCKED_AT = new Date('2026-11-23T12:40:11.015Z')

const seller = { id: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00' }
const data = { name: 'SellerStateEventData', schema: sellerStateResponse }

/** Every event of a seller's account as a whole, as the code that sends it makes it. */
export const sellerEvents: EventEntries<Extract<EventType, `seller.${string}`>> = {
  'seller.blocked': {
    description:
      'The platform has blocked the account: nobody of it logs in, it takes no new payments and nothing is paid out. Payments that were asked for can still be paid, and their events come.',
    data,
    example: sellerStateView({ ...seller, blockedAt: BLOCKED_AT }),
    happenedAt: BLOCKED_AT,
  },
  'seller.unblocked': {
    description: 'The account may do again what it could before it was blocked. Log in anew.',
    data,
    example: sellerStateView({ ...seller, blockedAt: null }),
    happenedAt: UNBLOCKED_AT,
  },
}
