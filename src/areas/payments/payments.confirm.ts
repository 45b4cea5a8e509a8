import { saoPauloDate } from '../../domain/calendar.ts'
import { NO_PARTS, type PaidParts, partsOn, principalOf } from '../../domain/due-terms.ts'
import { paymentFee } from '../../domain/fees.ts'
import { settlementSchedule } from '../../domain/installments.ts'
import { bps, subtract, ZERO } from '../../domain/money.ts'
import { type PaymentStatus, paymentLifecycle } from '../../domain/payment.ts'
import { providerCostOf } from '../../domain/provider-cost.ts'
import { paymentReceived } from '../../domain/transfers.ts'
import type { EventType } from '../../events/event-types.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { ChargeState } from '../../providers/provider.port.ts'
import { type Booking, type BookingContext, heldTransfer, holdEvents, holdOf } from './payments.booking.ts'
import type { Payment } from './payments.repository.ts'
import { paymentEventData } from './payments.view.ts'
import type { Settlement } from './settlements.repository.ts'

/** What a word of the provider means for a payment: a change, or a reason why there is none. */
type Decision =
  | { changed: true; row: Payment; event: EventType; paid: boolean }
  | { changed: false; row: Payment; reason: string }

const unchanged = (row: Payment, reason: string): Decision => ({ changed: false, row, reason })

// A final answer uses the token up. Until then a charge that never arrived may have to be asked for again.
const moved = (row: Payment, changes: Partial<Payment>, event: EventType, paid = false): Decision => {
  const cardToken = changes.status === 'processing' ? row.cardToken : null
  return { changed: true, row: { ...row, cardToken, ...changes }, event, paid }
}

/** Something is still to come; the payment's status says what. */
const WAITING_EVENT: EventType = 'payment.pending'

type Paid = Extract<ChargeState, { status: 'paid' }>

const isPaidOnce = (status: PaymentStatus): boolean =>
  ['paid', 'partially_refunded', 'refunded', 'in_dispute', 'charged_back'].includes(status)

const paidBefore = (row: Payment, { endToEndId }: Paid): Decision => {
  const again = endToEndId !== null && row.pixEndToEndId !== null && endToEndId !== row.pixEndToEndId
  return unchanged(row, again ? 'paid_again' : 'already_paid')
}

// Not the sale that was asked for: the money waits at the provider to be sent back, and nothing is booked.
const underpaid = (row: Payment, { paidAmount, endToEndId }: Paid, now: Date): Decision => {
  if (row.paidAmount === paidAmount && row.statusReason === 'underpaid') return unchanged(row, 'already_underpaid')
  const status = row.status === 'created' ? 'pending' : row.status
  const changes = { status, statusReason: 'underpaid', paidAmount, pixEndToEndId: endToEndId, updatedAt: now }
  return moved(row, changes, WAITING_EVENT)
}

type Judging = Pick<BookingContext, 'now' | 'holidays'>

// As the provider tells, where that explains the amount; else as the terms say of the day on which it was paid.
const paidPartsOf = ({ amount, dueTerms }: Payment, state: Paid, { now, holidays }: Judging): PaidParts => {
  const { paidAmount, parts: told = null, receivedAt = now } = state
  if (dueTerms === null || (told && principalOf(paidAmount, told) === amount)) return told ?? NO_PARTS
  return partsOn(amount, dueTerms, saoPauloDate(receivedAt), holidays)
}

const receivedFields = ({ fine, interest, discount }: PaidParts): Partial<Payment> => ({
  paidFineAmount: fine,
  paidInterestAmount: interest,
  paidDiscountAmount: discount,
})

const confirmed = (row: Payment, state: Paid, { now, holidays }: Judging): Decision => {
  const { paidAmount, endToEndId } = state
  if (isPaidOnce(row.status)) return paidBefore(row, state)
  if (!paymentLifecycle.allows(row.status, 'paid')) return unchanged(row, `payment_${row.status}`)
  const parts = paidPartsOf(row, state, { now, holidays })
  // Of a card that its seller captures, less is taken where the seller wants it so.
  if (principalOf(paidAmount, parts) < row.amount && row.cardCapture !== false) return underpaid(row, state, now)
  const changes = { status: 'paid' as const, statusReason: null, paidAmount, paidAt: now, updatedAt: now }
  const received = row.dueTerms === null ? {} : receivedFields(parts)
  return moved(row, { ...changes, ...received, pixEndToEndId: endToEndId ?? row.pixEndToEndId }, 'payment.paid', true)
}

/** How long an authorization that nobody captures is kept. */
const AUTHORIZATION_DAYS = 5
const DAY_MS = 86_400_000

const authorized = (row: Payment, now: Date): Decision =>
  moved(
    row,
    { status: 'authorized', expiresAt: new Date(now.getTime() + AUTHORIZATION_DAYS * DAY_MS), updatedAt: now },
    WAITING_EVENT,
  )

/**
 * Judges a charge's state against a payment. Words of a provider come late, twice and in any order, so whatever the
 * lifecycle does not allow changes nothing, and less money than was asked for never counts as paid: what was asked for on the
 * day, where a due date makes it more or less.
 */
const decideCharge = (row: Payment, state: ChargeState, judging: Judging): Decision => {
  if (state.status === 'paid') return confirmed(row, state, judging)
  const { now } = judging
  if (state.status === row.status) return unchanged(row, `already_${row.status}`)
  if (!paymentLifecycle.allows(row.status, state.status)) return unchanged(row, `payment_${row.status}`)
  if (state.status === 'authorized') return authorized(row, now)
  if (state.status === 'failed' || state.status === 'canceled' || state.status === 'expired') {
    const { status } = state
    // What was paid too little stays marked: somebody must send it back.
    const statusReason = row.statusReason === 'underpaid' ? row.statusReason : state.reason
    const canceledAt = status === 'canceled' ? now : row.canceledAt
    return moved(row, { status, statusReason, canceledAt, updatedAt: now }, `payment.${status}`)
  }
  return moved(row, { status: state.status, updatedAt: now }, WAITING_EVENT)
}

/**
 * A payment was paid: its fee by the terms it was made with, its net in parts by date, and where a part is available
 * at once, the reserve that is held back of it.
 */
const bookPaid = (paid: Payment, { now, newId, holidays, costs }: BookingContext): Booking => {
  const feeAmount = paymentFee(paid.paidAmount, {
    percentage: bps(paid.feePercentage),
    fixedAmount: paid.feeFixedAmount,
    minAmount: paid.feeMinAmount,
    maxAmount: paid.feeMaxAmount,
  })
  const netAmount = subtract(paid.paidAmount, feeAmount)
  const { sellerId, id: paymentId, method, installments, settlementDays } = paid
  const terms = { method, netAmount, installments, settlementDays, holidays }
  const parts = settlementSchedule({ ...terms, paidAt: now })
  const today = saoPauloDate(now)
  // Cards always wait for the acquirer.
  const atOnce = method !== 'credit_card' && parts.every(({ availableOn }) => availableOn <= today)
  const settlements = parts.map(({ installment, amount, availableOn }): Settlement => {
    const status = atOnce ? 'available' : 'waiting'
    const dates = { settledAt: atOnce ? now : null, createdAt: now, updatedAt: now }
    return {
      sellerId,
      id: newId(),
      paymentId,
      installment,
      amount,
      canceledAmount: ZERO,
      availableOn,
      status,
      ...dates,
    }
  })
  const grossAmount = paid.paidAmount
  const costAmount = providerCostOf(costs, paid)
  const amounts = { grossAmount, feeAmount, costAmount }
  const { provider } = paid
  const received = { ...paymentReceived({ sellerId, paymentId, method, ...amounts, settlesLater: !atOnce }), provider }
  const hold = atOnce ? holdOf(paid, netAmount, now, newId) : undefined
  const row = { ...paid, feeAmount, netAmount, reserveAmount: hold?.amount ?? ZERO }
  return { row, settlements, transfers: [received, ...(hold ? [heldTransfer(hold)] : [])], holds: hold ? [hold] : [] }
}

/** What a word of the provider comes to: the payment as it is to stand, and what is written with it. */
export type Confirmation = {
  payment: Payment
  changed: boolean
  /** Why nothing changed. */
  reason: string | null
  booking: Booking | undefined
  events: NewEvent[]
}

/**
 * Judges what the provider says of a charge against its payment. `fields` is what the charge adds to the payment, whatever
 * becomes of its state. A payment that becomes paid is booked: its fee, its parts by date, and the reserve held back of them.
 */
export const confirmPayment = (
  before: Payment,
  { state, fields }: { state: ChargeState; fields?: Partial<Payment> | undefined },
  context: BookingContext,
): Confirmation => {
  const decision = decideCharge({ ...before, ...fields }, state, context)
  if (!decision.changed) {
    return { payment: decision.row, changed: false, reason: decision.reason, booking: undefined, events: [] }
  }
  const booking = decision.paid ? bookPaid(decision.row, context) : undefined
  const payment = booking?.row ?? decision.row
  const told: NewEvent = { type: decision.event, sellerId: payment.sellerId, data: paymentEventData(payment) }
  return { payment, changed: true, reason: null, booking, events: [told, ...(booking ? holdEvents(booking) : [])] }
}
