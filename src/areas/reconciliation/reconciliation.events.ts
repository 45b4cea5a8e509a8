import { centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries } from '../../events/event-catalogue.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { ReconciliationException } from './reconciliation.repository.ts'
import { exceptionEventSchema } from './reconciliation.schemas.ts'
import { exceptionEventData } from './reconciliation.view.ts'

type ExceptionEventType = 'reconciliation.exception_opened' | 'reconciliation.exception_resolved'

/** One event for the seller whose money it is about; none where nobody knows whose it is. */
export const exceptionEvents = (row: ReconciliationException): NewEvent[] => {
  const type: ExceptionEventType =
    row.status === 'open' ? 'reconciliation.exception_opened' : 'reconciliation.exception_resolved'
  return row.sellerId === null ? [] : [{ type, sellerId: row.sellerId, data: exceptionEventData(row) }]
}

const HAPPENED_AT = new Date('2026-11-21T07:05:12.481Z')

const example: ReconciliationException = {
  id: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  provider: 'sandbox',
  date: '2026-11-20',
  kind: 'missing_here',
  lineKind: 'charge',
  subject: 'E12345678202611201305abcDEF12345#1',
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  subjectId: '01939f3e-2222-7b1e-9d6a-3f5b8c2d1e00',
  endToEndId: 'E12345678202611201305abcDEF12345',
  reference: '01939f3e22227b1e9d6a3f5b8c2d1e00',
  happenedAt: HAPPENED_AT,
  correctedAmount: null,
  resolvedByRun: null,
  providerAmount: centavos(10_000),
  platformAmount: ZERO,
  status: 'open',
  resolution: null,
  reason: null,
  resolvedBy: null,
  approvedBy: null,
  resolvedAt: null,
  reopenedCount: 0,
  createdAt: HAPPENED_AT,
  updatedAt: HAPPENED_AT,
}

const data = { name: 'ReconciliationExceptionEventData', schema: exceptionEventSchema }

export const reconciliationEvents: EventEntries<ExceptionEventType> = {
  'reconciliation.exception_opened': {
    description: 'The provider and the platform do not agree on something; told again when it is opened again.',
    data,
    example: exceptionEventData(example),
    happenedAt: HAPPENED_AT,
  },
  'reconciliation.exception_resolved': {
    description: 'They agree again, or the difference was posted or explained; `resolution` says which.',
    data,
    example: exceptionEventData({ ...example, status: 'resolved', resolution: 'explain' }),
    happenedAt: HAPPENED_AT,
  },
}
