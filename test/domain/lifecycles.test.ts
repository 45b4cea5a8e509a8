import { expect, test } from 'vitest'
import { COMPANY_STATUSES, canMoveCompany } from '../../src/domain/company.ts'
import { canMoveDispute, DISPUTE_STATUSES } from '../../src/domain/dispute.ts'
import { canMovePayment, PAYMENT_STATUSES } from '../../src/domain/payment.ts'
import { canMovePaymentLink, PAYMENT_LINK_STATUSES } from '../../src/domain/payment-link.ts'
import { canMoveRefund, REFUND_STATUSES } from '../../src/domain/refund.ts'
import { canMoveWithdrawal, WITHDRAWAL_STATUSES } from '../../src/domain/withdrawal.ts'

type CanMove<Status> = (from: Status, to: Status) => boolean

const table = <Status extends string>(statuses: readonly Status[], canMove: CanMove<Status>): string[] =>
  statuses.map((from) => `${from}: ${statuses.filter((to) => canMove(from, to)).join(' ') || '-'}`)

const reachable = <Status extends string>(statuses: readonly Status[], canMove: CanMove<Status>, start: Status) => {
  const found = new Set<Status>([start])
  for (const from of found) for (const to of statuses) if (canMove(from, to)) found.add(to)
  return found
}

test('a payment moves so, and in no other way', () => {
  expect(table(PAYMENT_STATUSES, canMovePayment)).toEqual([
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
  const afterPaid = reachable(PAYMENT_STATUSES, canMovePayment, 'paid')
  expect([...afterPaid].sort()).toEqual(['charged_back', 'in_dispute', 'paid', 'partially_refunded', 'refunded'])
})

test('a company moves so, and in no other way', () => {
  expect(table(COMPANY_STATUSES, canMoveCompany)).toEqual([
    'draft: awaiting_approval',
    'awaiting_approval: changes_requested approved rejected',
    'changes_requested: awaiting_approval',
    'approved: suspended',
    'rejected: awaiting_approval',
    'suspended: approved',
  ])
})

test('a withdrawal moves so, and in no other way', () => {
  expect(table(WITHDRAWAL_STATUSES, canMoveWithdrawal)).toEqual([
    'pending_approval: approved rejected canceled',
    'approved: processing',
    'processing: completed failed',
    'completed: returned',
    'failed: -',
    'rejected: -',
    'canceled: -',
    'returned: -',
  ])
})

test('a refund moves so, and in no other way', () => {
  expect(table(REFUND_STATUSES, canMoveRefund)).toEqual(['processing: completed failed', 'completed: -', 'failed: -'])
})

test('a dispute moves so, and in no other way', () => {
  expect(table(DISPUTE_STATUSES, canMoveDispute)).toEqual([
    'open: under_review won lost canceled',
    'under_review: won lost canceled',
    'won: -',
    'lost: won canceled',
    'canceled: -',
  ])
})

test('a payment link moves so, and in no other way', () => {
  expect(table(PAYMENT_LINK_STATUSES, canMovePaymentLink)).toEqual([
    'active: inactive expired completed deleted',
    'inactive: active expired completed deleted',
    'expired: active inactive completed deleted',
    'completed: active inactive expired deleted',
    'deleted: -',
  ])
})

test('every state of a lifecycle can be reached from its first', () => {
  expect(reachable(PAYMENT_STATUSES, canMovePayment, 'created').size).toBe(PAYMENT_STATUSES.length)
  expect(reachable(COMPANY_STATUSES, canMoveCompany, 'draft').size).toBe(COMPANY_STATUSES.length)
  expect(reachable(WITHDRAWAL_STATUSES, canMoveWithdrawal, 'pending_approval').size).toBe(WITHDRAWAL_STATUSES.length)
  expect(reachable(REFUND_STATUSES, canMoveRefund, 'processing').size).toBe(REFUND_STATUSES.length)
  expect(reachable(DISPUTE_STATUSES, canMoveDispute, 'open').size).toBe(DISPUTE_STATUSES.length)
  expect(reachable(PAYMENT_LINK_STATUSES, canMovePaymentLink, 'active').size).toBe(PAYMENT_LINK_STATUSES.length)
})
