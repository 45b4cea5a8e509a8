import { expect, test } from 'vitest'
import { COMPANY_STATUSES, companyLifecycle } from '../../src/domain/company.ts'
import { DISPUTE_STATUSES, disputeLifecycle } from '../../src/domain/dispute.ts'
import type { Lifecycle } from '../../src/domain/lifecycle.ts'
import { PAYMENT_STATUSES, paymentLifecycle } from '../../src/domain/payment.ts'
import { PAYMENT_LINK_STATUSES, paymentLinkLifecycle } from '../../src/domain/payment-link.ts'
import { REFUND_STATUSES, refundLifecycle } from '../../src/domain/refund.ts'
import { WITHDRAWAL_STATUSES, withdrawalLifecycle } from '../../src/domain/withdrawal.ts'

const table = <Status extends string>(statuses: readonly Status[], { allows }: Lifecycle<Status>): string[] =>
  statuses.map((from) => `${from}: ${statuses.filter((to) => allows(from, to)).join(' ') || '-'}`)

const reachable = <Status extends string>(
  statuses: readonly Status[],
  { allows }: Lifecycle<Status>,
  start: Status,
) => {
  const found = new Set<Status>([start])
  for (const from of found) for (const to of statuses) if (allows(from, to)) found.add(to)
  return found
}

test('a payment moves so, and in no other way', () => {
  expect(table(PAYMENT_STATUSES, paymentLifecycle)).toEqual([
    'created: pending processing authorized paid expired canceled failed',
    'pending: processing authorized paid expired canceled failed',
    'processing: authorized paid failed',
    'authorized: paid expired canceled failed',
    'paid: partially_refunded refunded in_dispute',
    'partially_refunded: paid partially_refunded refunded in_dispute charged_back',
    'refunded: partially_refunded',
    'in_dispute: paid partially_refunded refunded charged_back',
    'charged_back: paid partially_refunded',
    'expired: paid',
    'canceled: paid',
    'failed: -',
  ])
})

test('money that came never leaves a payment but by a refund or a dispute', () => {
  const afterPaid = reachable(PAYMENT_STATUSES, paymentLifecycle, 'paid')
  expect([...afterPaid].sort()).toEqual(['charged_back', 'in_dispute', 'paid', 'partially_refunded', 'refunded'])
})

test('a company moves so, and in no other way', () => {
  expect(table(COMPANY_STATUSES, companyLifecycle)).toEqual([
    'draft: awaiting_approval',
    'awaiting_approval: changes_requested approved rejected',
    'changes_requested: awaiting_approval',
    'approved: suspended',
    'rejected: awaiting_approval',
    'suspended: approved',
  ])
})

test('a withdrawal moves so, and in no other way', () => {
  expect(table(WITHDRAWAL_STATUSES, withdrawalLifecycle)).toEqual([
    'pending_approval: approved rejected canceled',
    'approved: processing rejected',
    'processing: completed failed',
    'completed: returned',
    'failed: -',
    'rejected: -',
    'canceled: -',
    'returned: -',
  ])
})

test('a refund moves so, and in no other way', () => {
  expect(table(REFUND_STATUSES, refundLifecycle)).toEqual(['processing: completed failed', 'completed: -', 'failed: -'])
})

test('a dispute moves so, and in no other way', () => {
  expect(table(DISPUTE_STATUSES, disputeLifecycle)).toEqual([
    'open: under_review won lost canceled',
    'under_review: won lost canceled',
    'won: -',
    'lost: won canceled',
    'canceled: -',
  ])
})

test('a payment link moves so, and in no other way', () => {
  expect(table(PAYMENT_LINK_STATUSES, paymentLinkLifecycle)).toEqual([
    'active: inactive expired completed deleted',
    'inactive: active expired completed deleted',
    'expired: active inactive completed deleted',
    'completed: active inactive expired deleted',
    'deleted: -',
  ])
})

test('every state of a lifecycle can be reached from its first', () => {
  expect(reachable(PAYMENT_STATUSES, paymentLifecycle, 'created').size).toBe(PAYMENT_STATUSES.length)
  expect(reachable(COMPANY_STATUSES, companyLifecycle, 'draft').size).toBe(COMPANY_STATUSES.length)
  expect(reachable(WITHDRAWAL_STATUSES, withdrawalLifecycle, 'pending_approval').size).toBe(WITHDRAWAL_STATUSES.length)
  expect(reachable(REFUND_STATUSES, refundLifecycle, 'processing').size).toBe(REFUND_STATUSES.length)
  expect(reachable(DISPUTE_STATUSES, disputeLifecycle, 'open').size).toBe(DISPUTE_STATUSES.length)
  expect(reachable(PAYMENT_LINK_STATUSES, paymentLinkLifecycle, 'active').size).toBe(PAYMENT_LINK_STATUSES.length)
})
