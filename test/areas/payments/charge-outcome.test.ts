import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideCharge } from '../../../src/areas/payments/payments.outcome.ts'
import type { Payment } from '../../../src/areas/payments/payments.repository.ts'
import { centavos } from '../../../src/domain/money.ts'
import { canMovePayment, PAYMENT_STATUSES } from '../../../src/domain/payment.ts'
import type { ChargeState } from '../../../src/providers/provider.port.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')

// Only what a decision looks at: the rest of a payment's row passes through it untouched.
const payment = (status: Payment['status'], fields: Partial<Payment> = {}): Payment =>
  ({ status, amount: centavos(1_000), paidAmount: centavos(0), statusReason: null, ...fields }) as Payment

const anyStatus = fc.constantFrom(...PAYMENT_STATUSES)

const anyState: fc.Arbitrary<ChargeState> = fc.oneof(
  fc.record({ status: fc.constantFrom('pending' as const, 'processing' as const, 'authorized' as const) }),
  fc.record({
    status: fc.constantFrom('failed' as const, 'canceled' as const, 'expired' as const),
    reason: fc.constant(null),
  }),
  fc.record({
    status: fc.constant('paid' as const),
    paidAmount: fc.integer({ min: 1, max: 3_000 }).map(centavos),
    endToEndId: fc.constantFrom(null, 'E1', 'E2'),
  }),
)

test('whatever comes in whatever order, a payment only moves along its lifecycle', () => {
  fc.assert(
    fc.property(anyStatus, fc.array(anyState, { maxLength: 8 }), (start, states) => {
      let row = payment(start)
      for (const state of states) {
        const decision = decideCharge(row, state, NOW)
        const stays = decision.row.status === row.status
        expect(stays || canMovePayment(row.status, decision.row.status)).toBe(true)
        expect(decision.changed || stays).toBe(true)
        row = decision.row
      }
    }),
  )
})

test('whatever comes in, a payment is booked at most once, and only for the whole amount', () => {
  fc.assert(
    fc.property(anyStatus, fc.array(anyState, { maxLength: 8 }), (start, states) => {
      let row = payment(start)
      let bookings = 0
      for (const state of states) {
        const decision = decideCharge(row, state, NOW)
        row = decision.row
        if (decision.changed && decision.paid) {
          bookings += 1
          expect(row.paidAmount).toBeGreaterThanOrEqual(row.amount)
        }
      }
      expect(bookings).toBeLessThanOrEqual(1)
    }),
  )
})

test('the same word a second time changes nothing', () => {
  fc.assert(
    fc.property(anyStatus, anyState, (start, state) => {
      const first = decideCharge(payment(start), state, NOW)
      expect(decideCharge(first.row, state, NOW).changed).toBe(false)
    }),
  )
})

test('a card’s token outlives an answer that is not final, and nothing else', () => {
  const row = payment('created', { cardToken: 'tok_0001' })
  expect(decideCharge(row, { status: 'processing' }, NOW).row.cardToken).toBe('tok_0001')
  expect(decideCharge(row, { status: 'failed', reason: null }, NOW).row.cardToken).toBeNull()
})

test('what was paid too little stays marked when the payment expires', () => {
  const row = payment('pending', { statusReason: 'underpaid', paidAmount: centavos(999) })
  const { row: after } = decideCharge(row, { status: 'expired', reason: null }, NOW)
  expect(after).toMatchObject({ status: 'expired', statusReason: 'underpaid', paidAmount: 999 })
})
