import fc from 'fast-check'
import { expect, test } from 'vitest'
import { confirmPayment } from '../../../src/areas/payments/payments.confirm.ts'
import type { Payment } from '../../../src/areas/payments/payments.repository.ts'
import { NO_OVERRIDES } from '../../../src/domain/calendar.ts'
import { bps, centavos, ZERO } from '../../../src/domain/money.ts'
import { PAYMENT_STATUSES, paymentLifecycle } from '../../../src/domain/payment.ts'
import { createIds } from '../../../src/ids.ts'
import type { ChargeState } from '../../../src/providers/provider.port.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const CONTEXT = { now: NOW, newId: createIds({ now: () => NOW }), holidays: NO_OVERRIDES, costs: [] }

const payment = (status: Payment['status'], fields: Partial<Payment> = {}): Payment => ({
  ...{ sellerId: CONTEXT.newId(), id: CONTEXT.newId(), method: 'pix', status, statusReason: null, installments: 1 },
  ...{ amount: centavos(1_000), paidAmount: ZERO, refundedAmount: ZERO, feeAmount: ZERO, netAmount: ZERO },
  ...{ reserveAmount: ZERO, customerId: null, paymentLinkId: null, externalReference: null, description: null },
  ...{ customer: null, metadata: {}, provider: 'sandbox', feeId: CONTEXT.newId(), feePercentage: bps(100) },
  ...{ feeFixedAmount: ZERO, feeMinAmount: null, feeMaxAmount: null, settlementDays: 0, reservePercentage: bps(0) },
  ...{
    reserveDays: 30,
    pixQrCode: null,
    pixTxid: null,
    pixEndToEndId: null,
    boletoLine: null,
    boletoBarcode: null,
    boletoDueDate: null,
  },
  ...{ dueTerms: null, paidFineAmount: null, paidInterestAmount: null, paidDiscountAmount: null },
  ...{
    boletoPdfUrl: null,
    cardToken: null,
    cardId: null,
    cardBrand: null,
    cardLast4: null,
    cardExpMonth: null,
    cardExpYear: null,
  },
  ...{ cardAuthorizationCode: null, cardCapture: null, expiresAt: null, paidAt: null, canceledAt: null },
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
})

const confirm = (row: Payment, state: ChargeState) => confirmPayment(row, { state }, CONTEXT)

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
        const confirmation = confirm(row, state)
        const stays = confirmation.payment.status === row.status
        expect(stays || paymentLifecycle.allows(row.status, confirmation.payment.status)).toBe(true)
        expect(confirmation.changed || stays).toBe(true)
        row = confirmation.payment
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
        const confirmation = confirm(row, state)
        row = confirmation.payment
        if (confirmation.booking) {
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
      const first = confirm(payment(start), state)
      expect(confirm(first.payment, state).changed).toBe(false)
    }),
  )
})

test('a card’s token outlives an answer that is not final, and nothing else', () => {
  const row = payment('created', { cardToken: 'tok_0001' })
  expect(confirm(row, { status: 'processing' }).payment.cardToken).toBe('tok_0001')
  expect(confirm(row, { status: 'failed', reason: null }).payment.cardToken).toBeNull()
})

test('what was paid too little stays marked when the payment expires', () => {
  const row = payment('pending', { statusReason: 'underpaid', paidAmount: centavos(999) })
  const { payment: after } = confirm(row, { status: 'expired', reason: null })
  expect(after).toMatchObject({ status: 'expired', statusReason: 'underpaid', paidAmount: 999 })
})
