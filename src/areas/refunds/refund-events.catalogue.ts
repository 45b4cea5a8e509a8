import { NO_DRAWS } from '../../domain/draws.ts'
import { centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import type { Refund } from './refunds.repository.ts'
import { refundResponse } from './refunds.schemas.ts'
import { refundView } from './refunds.view.ts'

const REQUESTED_AT = new Date('2026-11-24T09:29:58.450Z')
const ENDED_AT = new Date('2026-11-24T09:30:00.007Z')

const entry = (description: string, status: Refund['status']): EventEntry => ({
  description,
  data: { name: 'RefundEventData', schema: refundResponse },
  example: refundView({
    sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
    id: '01939f3e-4444-7b1e-9d6a-3f5b8c2d1e00',
    paymentId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
    amount: centavos(2_500),
    reason: 'Produto devolvido',
    status,
    statusReason: null,
    fromPendingAmount: ZERO,
    fromReservedAmount: ZERO,
    fromAvailableAmount: centavos(2_500),
    draws: NO_DRAWS,
    provider: 'sandbox',
    origin: 'seller',
    requestedBy: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
    sentAt: REQUESTED_AT,
    lastAttemptAt: null,
    createdAt: REQUESTED_AT,
    updatedAt: ENDED_AT,
  }),
  happenedAt: ENDED_AT,
})

/** Every event of a refund, as the code that sends it makes it. */
export const refundEvents: EventEntries<Extract<EventType, `refund.${string}`>> = {
  'refund.completed': entry('The money of a refund is back with the payer.', 'completed'),
  'refund.failed': entry('The provider refused a refund for good: its money is back in your balance.', 'failed'),
}
