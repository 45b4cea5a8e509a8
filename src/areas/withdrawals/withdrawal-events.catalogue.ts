import { centavos } from '../../domain/money.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import { type WithdrawalEventType, withdrawalEvent } from './withdrawals.events.ts'
import type { Withdrawal } from './withdrawals.queries.ts'
import { withdrawalResponse } from './withdrawals.schemas.ts'

type Entry = { status: WithdrawalStatus; description: string; example: Partial<Withdrawal> }

const REQUESTED_AT = new Date('2026-11-21T13:05:12.481Z')
const APPROVED_AT = new Date('2026-11-21T13:20:40.007Z')
const COMPLETED_AT = new Date('2026-11-21T13:20:43.512Z')
const ADMINISTRATOR = '01939f3e-0000-7b1e-9d6a-3f5b8c2d1e00'

const approved: Partial<Withdrawal> = { approvedBy: ADMINISTRATOR, approvedAt: APPROVED_AT, updatedAt: APPROVED_AT }
const completed: Partial<Withdrawal> = {
  ...approved,
  completedAt: COMPLETED_AT,
  updatedAt: COMPLETED_AT,
  endToEndId: 'E12345678202611211320abcDEF12345',
}

// A type of event without an entry does not compile.
const CATALOGUE: Readonly<Record<WithdrawalEventType, Entry>> = {
  'withdrawal.requested': {
    status: 'pending_approval',
    description: 'A withdrawal was accepted: its amount left the available balance and waits for approval.',
    example: {},
  },
  'withdrawal.approved': {
    status: 'approved',
    description: 'An administrator approved it, or it was small enough to need nobody. It is paid out next.',
    example: approved,
  },
  'withdrawal.rejected': {
    status: 'rejected',
    description: 'An administrator rejected it; `statusReason` says why. The amount is available again.',
    example: { statusReason: 'The Pix key belongs to somebody else.', updatedAt: APPROVED_AT },
  },
  'withdrawal.processing': {
    status: 'processing',
    description: 'The payout is being sent to the bank. While its outcome is not known it stays here.',
    example: approved,
  },
  'withdrawal.completed': {
    status: 'completed',
    description: 'The money arrived at the Pix key.',
    example: completed,
  },
  'withdrawal.failed': {
    status: 'failed',
    description: 'The bank refused the payout for good. The amount, fee included, is available again.',
    example: { ...approved, statusReason: 'payout_refused', updatedAt: COMPLETED_AT },
  },
  'withdrawal.canceled': {
    status: 'canceled',
    description: 'The seller took it back before it was approved. The amount is available again.',
    example: { updatedAt: APPROVED_AT },
  },
  'withdrawal.returned': {
    status: 'returned',
    description:
      'The receiver’s bank sent a completed payout back. What it sent back is available again; the fee is not.',
    example: { ...completed, statusReason: 'account_closed' },
  },
}

const example = (status: WithdrawalStatus, changes: Partial<Withdrawal>): Withdrawal => ({
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  id: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  amount: centavos(500_000),
  feeAmount: centavos(100),
  netAmount: centavos(499_900),
  pixKeyType: 'email',
  pixKey: 'financeiro@padaria.com.br',
  description: null,
  status,
  statusReason: null,
  provider: 'sandbox',
  endToEndId: null,
  requestedBy: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  approvedBy: null,
  requestedAt: REQUESTED_AT,
  approvedAt: null,
  sentAt: null,
  lastAttemptAt: null,
  completedAt: null,
  createdAt: REQUESTED_AT,
  updatedAt: REQUESTED_AT,
  ...changes,
})

const entryOf = (type: WithdrawalEventType, { description, status, example: changes }: Entry): EventEntry => {
  const row = example(status, changes)
  const data = { name: 'WithdrawalEventData', schema: withdrawalResponse }
  return { description, data, example: withdrawalEvent(type, row).data, happenedAt: row.updatedAt }
}

/** Every event of a withdrawal, in the order of its life, as the code that sends it makes it. */
export const withdrawalEvents = Object.fromEntries(
  (Object.entries(CATALOGUE) as [WithdrawalEventType, Entry][]).map(([type, entry]) => [type, entryOf(type, entry)]),
) as EventEntries<WithdrawalEventType>
