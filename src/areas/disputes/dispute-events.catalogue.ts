import { NO_DRAWS } from '../../domain/draws.ts'
import { centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import type { Dispute } from './disputes.queries.ts'
import { disputeResponse } from './disputes.schemas.ts'
import { disputeView } from './disputes.view.ts'

const OPENED_AT = new Date('2026-11-24T09:30:00.007Z')
const DEFENDED_AT = new Date('2026-11-25T16:02:11.300Z')
const RESOLVED_AT = new Date('2026-12-02T11:45:21.090Z')

const opened: Dispute = {
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  id: '01939f3e-5555-7b1e-9d6a-3f5b8c2d1e00',
  paymentId: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  type: 'med',
  status: 'open',
  amount: centavos(10_000),
  blockedAmount: centavos(9_010),
  frozenReserveAmount: centavos(990),
  fromPendingAmount: ZERO,
  fromAvailableAmount: centavos(9_010),
  feeAmount: ZERO,
  draws: NO_DRAWS,
  reason: 'The payer says that this Pix is a fraud.',
  defense: null,
  defendedAt: null,
  defenseAttemptAt: null,
  defenseToldAt: null,
  defenseRefusal: null,
  provider: 'sandbox',
  providerReference: 'sandbox-dispute-1',
  respondBy: new Date('2026-12-01T02:59:59.999Z'),
  remindedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  createdAt: OPENED_AT,
  updatedAt: OPENED_AT,
}

const resolved: Dispute = {
  ...opened,
  defense: 'O pedido foi entregue em 22/11, com assinatura.',
  defendedAt: DEFENDED_AT,
  resolvedAt: RESOLVED_AT,
  resolvedBy: 'provider',
  updatedAt: RESOLVED_AT,
}

const entry = (description: string, row: Dispute): EventEntry => ({
  description,
  data: { name: 'DisputeEventData', schema: disputeResponse },
  example: disputeView(row, []),
  happenedAt: row.updatedAt,
})

/** Every event of a dispute, as the code that sends it makes it. */
export const disputeEvents: EventEntries<Extract<EventType, `dispute.${string}`>> = {
  'dispute.opened': entry('A payer claims money back. What it covers is blocked; answer before `respondBy`.', opened),
  'dispute.deadline_near': entry('In two days or less this claim is lost unless you answer it.', opened),
  'dispute.won': entry('The claim was refused: what was blocked is yours again.', { ...resolved, status: 'won' }),
  'dispute.lost': entry('The claim was granted: the money went back to the payer.', { ...resolved, status: 'lost' }),
}
