import { type Centavos, centavos } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { EventEntries } from '../../events/event-catalogue.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { Adjustment } from './adjustments.repository.ts'
import { adjustmentEventSchema, debtEventSchema } from './adjustments.schemas.ts'
import { adjustmentEventData } from './adjustments.view.ts'

export const adjustmentPostedEvent = (row: Adjustment): NewEvent => ({
  type: 'adjustment.posted',
  sellerId: row.sellerId,
  data: adjustmentEventData(row),
})

export const balanceOwedEvent = (sellerId: string, owedAmount: Centavos, owedSince: Date): NewEvent => ({
  type: 'balance.owed',
  sellerId,
  data: { sellerId, owedAmount, owedSince: toTimestamp(owedSince) },
})

const SELLER = '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00'
const HAPPENED_AT = new Date('2026-11-21T13:05:12.481Z')

const example: Adjustment = {
  sellerId: SELLER,
  id: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  kind: 'correction',
  amount: centavos(1_500),
  against: 'fee_revenue',
  reason: 'The fee of 20 November was charged twice.',
  forced: false,
  proposedBy: SELLER,
  approvedBy: null,
  createdAt: HAPPENED_AT,
}

export const adjustmentEvents: EventEntries<'adjustment.posted' | 'balance.owed'> = {
  'adjustment.posted': {
    description: 'The platform corrected the available balance; `reason` says why.',
    data: { name: 'AdjustmentEventData', schema: adjustmentEventSchema },
    example: adjustmentPostedEvent(example).data,
    happenedAt: HAPPENED_AT,
  },
  'balance.owed': {
    description:
      'The available balance has been below zero for a day; told again each week. New income covers it, and nothing is paid out before.',
    data: { name: 'BalanceOwedEventData', schema: debtEventSchema },
    example: balanceOwedEvent(SELLER, centavos(90_990), new Date('2026-11-20T13:00:00.000Z')).data,
    happenedAt: HAPPENED_AT,
  },
}
